"""The test voice: what its callers set is what they get."""

import pytest

from firstword.errors import EngineFailed
from firstword.kokoro.synthesizer import Cancelled, CancelToken, VoiceOptions
from firstword.kokoro.tone import ToneVoice


def test_a_piece_is_given_in_the_number_of_steps_asked_for() -> None:
    voice = ToneVoice(steps=7)
    decoding = voice.begin(voice.plan("One two three four.", VoiceOptions())[0], CancelToken())
    assert len(list(iter(decoding.step, None))) == 7


def test_a_piece_that_holds_the_failing_word_fails_after_its_first_audio() -> None:
    voice = ToneVoice(fails_on="bad")
    decoding = voice.begin(voice.plan("A bad word.", VoiceOptions())[0], CancelToken())
    assert decoding.step()
    with pytest.raises(EngineFailed):
        decoding.step()


def test_every_step_waits_as_told_and_a_cancel_while_it_waits_ends_it() -> None:
    waits: list[float] = []
    cancel = CancelToken()

    def wait(seconds: float, token: CancelToken) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            token.cancel()

    voice = ToneVoice(step_delay_s=0.25, wait=wait)
    decoding = voice.begin(voice.plan("Some words to say.", VoiceOptions())[0], cancel)
    assert decoding.step()
    with pytest.raises(Cancelled):
        decoding.step()
    assert waits == [0.25, 0.25]
