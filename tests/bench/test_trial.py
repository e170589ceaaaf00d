"""The figures of an answer, from a recording written by hand."""

import numpy as np
import pytest

from firstword import audio
from firstword.bench.recording import Recording
from firstword.bench.trial import measure
from firstword.protocol import events

TONE = audio.float_to_pcm(0.5 * np.sin(np.arange(24_000) / 10))


def _recording() -> Recording:
    recording = Recording(mode="bidi")
    script: list[tuple[float, events.AgentEvent, bytes]] = [
        (0.0, events.AgentStart(mode="bidi", t_ms=0.0, request_id="a"), b""),
        (80.0, events.AgentTextDelta(seq=0, text="Hello. ", t_ms=80.0, request_id="a"), b""),
        (90.0, events.AudioStreamStart(voice="v", sample_rate=24_000, format="pcm_s16le", t_ms=0, request_id="a"), b""),
        (
            200.0,
            events.SentenceEvent(index=0, text="Hello.", audio_offset_s=0, sent_ms=85.0, t_ms=0, request_id="a"),
            b"",
        ),
        (300.0, events.AudioChunkEvent(seq=0, data="", t_ms=0, request_id="a"), audio.silence(0.05) + TONE),
        (1500.0, events.AgentTextDelta(seq=1, text="Bye.", t_ms=0, request_id="a"), b""),
        (
            1700.0,
            events.SentenceEvent(index=1, text="Bye.", audio_offset_s=1, sent_ms=1550.0, t_ms=0, request_id="a"),
            b"",
        ),
        (1750.0, events.AudioChunkEvent(seq=1, data="", t_ms=0, request_id="a"), TONE),
        (1760.0, events.AudioStreamEnd(total_chunks=2, duration_s=2.05, t_ms=0, request_id="a"), b""),
        (1765.0, events.AgentEnd(t_ms=0, request_id="a"), b""),
    ]
    for t_ms, event, pcm in script:
        recording.note(t_ms, event, pcm)
    return recording


def test_every_figure_of_an_answer_is_read_off_its_recording() -> None:
    trial = measure(_recording())
    assert (trial.first_text_ms, trial.first_sentence_ms, trial.first_audio_ms) == (80.0, 85.0, 300.0)
    assert (trial.text_end_ms, trial.audio_end_ms) == (1500.0, 1750.0)
    assert trial.audio_s == pytest.approx(2.05)
    assert trial.text == "Hello. Bye."
    assert trial.sentences == 2


def test_audible_is_later_than_received_by_the_silence_in_front() -> None:
    assert measure(_recording()).first_audible_ms == pytest.approx(350.0)


def test_a_stall_is_split_where_the_awaited_sentence_was_sent() -> None:
    trial = measure(_recording())
    assert (trial.underruns, trial.underrun_ms) == (1, 400.0)
    assert (trial.starved_by_text_ms, trial.starved_by_synthesis_ms) == (200.0, 200.0)


def test_an_answer_that_failed_before_audio_has_no_times_of_audio() -> None:
    recording = Recording(mode="whole")
    recording.note(5.0, events.AgentErrorEvent(code="model", message="It is down.", request_id="a", t_ms=5.0))
    trial = measure(recording)
    assert (trial.first_audio_ms, trial.first_audible_ms, trial.audio_s, trial.underrun_ms) == (None, None, 0.0, 0.0)
    assert recording.error == ("model", "It is down.")
