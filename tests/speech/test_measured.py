"""A voice whose work is timed, by a clock that its steps move."""

import pytest

from firstword.kokoro.synthesizer import Cancelled, CancelToken, VoiceOptions
from firstword.kokoro.tone import ToneVoice
from firstword.speech.measured import MeasuredVoice
from firstword.text.pace import Pace

TEXT = "Some words are spoken here."


def _speak(voice: MeasuredVoice, token: CancelToken) -> int:
    (piece,) = ToneVoice().plan(TEXT, VoiceOptions())
    decoding = voice.begin(piece, token)
    size = 0
    while (pcm := decoding.step()) is not None:
        size += len(pcm)
    return size


def test_the_pace_is_the_work_of_the_steps_against_what_they_made() -> None:
    now_s = [0.0]

    def works(_seconds: float, _token: CancelToken) -> None:
        now_s[0] += 0.2

    pace = Pace()
    size = _speak(MeasuredVoice(ToneVoice(steps=4, wait=works), pace, clock=lambda: now_s[0]), CancelToken())
    audio_s = size / 48_000
    assert pace.first == pytest.approx(0.2 / audio_s)
    assert pace.whole == pytest.approx(0.8 / audio_s)
    assert pace.seconds(len(TEXT)) == pytest.approx(audio_s)


def test_a_piece_that_was_cancelled_teaches_nothing() -> None:
    pace, token = Pace(), CancelToken()
    voice = MeasuredVoice(ToneVoice(steps=4, wait=lambda _seconds, cancel: cancel.cancel()), pace)
    with pytest.raises(Cancelled):
        _speak(voice, token)
    assert pace.seconds(1) == Pace().seconds(1)
