"""Speech as a whole, with the test voice: order, cancel, bounds, failure, and the same audio whatever else goes on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from fakes.gate import Gate
from firstword.errors import EngineFailed
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions
from firstword.kokoro.tone import ToneVoice
from firstword.speech.items import Audio, Done, Failed, Item, SentenceBegun, WordTimings
from firstword.speech.listener import Listener
from firstword.speech.service import SpeechService
from firstword.speech.utterance import Utterance

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

THREE = "First of all. Then the second. And a third."


@asynccontextmanager
async def _service(voice: ToneVoice | None = None, *, max_buffered_s: float = 30.0) -> AsyncIterator[SpeechService]:
    service = SpeechService(voice or ToneVoice(), max_buffered_s=max_buffered_s)
    async with service.running():
        yield service


def _say(service: SpeechService, listener: Listener, text: str, **options: bool) -> Utterance:
    utterance = service.say(listener, VoiceOptions(**options), live=False)  # type: ignore[arg-type]
    utterance.feed(text)
    utterance.finish()
    return utterance


async def _all(service: SpeechService, text: str) -> list[Item]:
    with service.listen(max_lead_s=None) as listener:
        return [item async for item in listener.items(_say(service, listener, text))]


def _pcm(items: list[Item]) -> bytes:
    return b"".join(item.pcm for item in items if isinstance(item, Audio))


async def _until_first_audio(listener: Listener, utterance: Utterance) -> None:
    async for item in listener.items(utterance):
        if isinstance(item, Audio):
            return


async def test_a_text_gives_each_sentence_its_timings_and_its_audio_then_the_end() -> None:
    async with _service() as service:
        items = await _all(service, THREE)
    kinds = [type(item) for item in items if not isinstance(item, Audio)]
    assert kinds == [SentenceBegun, WordTimings] * 3 + [Done]
    assert isinstance(items[2], Audio)


async def test_an_utterance_pauses_between_its_sentences_and_does_not_end_in_silence() -> None:
    async with _service() as service:
        items = await _all(service, "One. Two.")
        alone = [_pcm(await _all(service, text)) for text in ("One.", "Two.")]
    audio = _pcm(items)
    silence = len(audio) - len(alone[0]) - len(alone[1])
    assert audio == alone[0] + bytes(silence) + alone[1]
    assert silence > 0
    offsets = [item.audio_offset_s for item in items if isinstance(item, SentenceBegun)]
    assert offsets == [0.0, (len(alone[0]) + silence) / 48_000]


async def test_the_first_audio_leaves_before_the_second_sentence_is_begun() -> None:
    gate = Gate()
    async with _service(ToneVoice(steps=1, wait=gate)) as service:
        with service.listen(max_lead_s=None) as listener:
            utterance = _say(service, listener, "\n".join(f"Line number {n}." for n in "abcdef"))
            gate.let(1)
            await _until_first_audio(listener, utterance)
            assert gate.arrived <= 2


async def test_audio_is_the_same_alone_and_beside_others() -> None:
    async with _service() as service:
        alone = _pcm(await _all(service, THREE))
        together = await asyncio.gather(*(_all(service, THREE) for _ in range(6)))
    assert {_pcm(items) for items in together} == {alone}


async def test_live_text_is_spoken_as_it_comes() -> None:
    async with _service() as service:
        with service.listen(max_lead_s=None) as listener:
            utterance = service.say(listener, VoiceOptions(), live=True)
            utterance.feed("Hello there. And")
            await _until_first_audio(listener, utterance)
            utterance.feed(" the rest.")
            utterance.finish()
            rest = [item async for item in listener.items(utterance)]
    assert [item.text for item in rest if isinstance(item, SentenceBegun)] == ["And the rest."]


async def test_cancel_ends_the_step_that_runs_and_no_other_begins() -> None:
    gate = Gate()
    async with _service(ToneVoice(wait=gate)) as service:
        with service.listen(max_lead_s=None) as listener:
            utterance = _say(service, listener, THREE)
            await gate.until_arrived(1)
            listener.cut(utterance)
            gate.open()
            assert _pcm(await _all(service, "Hello.")) != b""
    assert gate.left_by_cancel == 1
    assert utterance.take() is None


async def test_a_reader_that_leaves_after_the_first_audio_costs_at_most_one_more_step() -> None:
    gate = Gate()
    async with _service(ToneVoice(steps=20, wait=gate)) as service:
        with service.listen(max_lead_s=None) as listener:
            gate.let(1)
            await _until_first_audio(listener, _say(service, listener, THREE))
        assert gate.arrived <= 2


async def test_a_reader_that_takes_nothing_is_bounded_and_holds_up_nobody() -> None:
    async with _service(ToneVoice(steps=8), max_buffered_s=0.5) as service:
        with service.listen(max_lead_s=None) as stalled:
            waiting = _say(service, stalled, THREE * 20)
            for _ in range(3):
                await _all(service, THREE)
            assert 0.5 <= waiting.buffered_s < 1.5


async def test_a_failing_voice_gives_what_it_made_then_the_error_and_serves_the_next() -> None:
    async with _service(ToneVoice(fails_on="boom")) as service:
        items = await _all(service, "All is well. Now boom happens. Never said.")
        assert isinstance(items[-1], Failed)
        assert items[-1].error.code == "engine_failed"
        assert next(item.text for item in items if isinstance(item, SentenceBegun)) == "All is well."
        assert isinstance((await _all(service, "Hello."))[-1], Done)


async def test_everything_under_way_can_be_abandoned_with_one_error() -> None:
    gate = Gate()
    async with _service(ToneVoice(wait=gate)) as service:
        with service.listen(max_lead_s=None) as listener:
            utterance = _say(service, listener, THREE)
            await gate.until_arrived(1)
            service.abandon(EngineFailed("Stopped.", code="going_away"))
            items = [item async for item in listener.items(utterance)]
            gate.open()
    assert [item.error.code for item in items if isinstance(item, Failed)] == ["going_away"]


async def test_the_second_request_of_a_listener_is_made_ahead_but_after_the_first() -> None:
    begun: list[str] = []

    class Noted(ToneVoice):
        def begin(self, piece, cancel: CancelToken):  # type: ignore[no-untyped-def]
            begun.append(piece.text)
            return super().begin(piece, cancel)

    async with _service(Noted()) as service:
        with service.listen(max_lead_s=None) as listener:
            first, second = _say(service, listener, "One. Two."), _say(service, listener, "Three.")
            await asyncio.gather(_drain(listener, first), _drain(listener, second))
    assert begun == ["One.", "Two.", "Three."]


async def _drain(listener: Listener, utterance: Utterance) -> None:
    async for _ in listener.items(utterance, patience_s=0.01):
        continue


LONG = "This sentence alone takes the test voice some six seconds to say, because it is so long."


@pytest.mark.parametrize(
    ("join_after_s", "said"), [(4.0, [THREE]), (60.0, ["First of all.", "Then the second.", "And a third."])]
)
async def test_live_sentences_are_said_in_one_while_the_listener_has_plenty(
    join_after_s: float, said: list[str]
) -> None:
    service = SpeechService(ToneVoice(), live_first_chunk="sentence", join_after_s=join_after_s, clock=lambda: 1000.0)
    async with service.running():
        with service.listen(max_lead_s=None) as listener:
            utterance = service.say(listener, VoiceOptions(), live=True)
            utterance.feed(LONG + " F")
            items = listener.items(utterance)
            while listener.lead_s() < 5.0:
                await anext(items)
            utterance.feed(THREE[1:])
            utterance.finish()
            rest = [item async for item in items]
    assert [item.text for item in rest if isinstance(item, SentenceBegun)] == said


async def test_a_live_text_that_stalls_is_spoken_up_to_its_last_clause() -> None:
    async with _service() as service:
        with service.listen(max_lead_s=None) as listener:
            utterance = service.say(listener, VoiceOptions(), live=True)
            utterance.feed("Well, it depends on what you need, but")
            utterance.stall()
            await _until_first_audio(listener, utterance)
            utterance.feed(" I would wait.")
            utterance.finish()
            rest = [item async for item in listener.items(utterance)]
    assert [item.text for item in rest if isinstance(item, SentenceBegun)] == ["but I would wait."]


async def test_a_joined_text_is_one_sentence_unless_it_is_too_long_for_that() -> None:
    async with _service() as service:
        with service.listen(max_lead_s=None) as listener:
            counts = []
            for text in (THREE, THREE * 10, "…"):
                utterance = service.say(listener, VoiceOptions(), live=False, joined=True)
                utterance.feed(text)
                utterance.finish()
                counts.append([isinstance(item, SentenceBegun) async for item in listener.items(utterance)].count(True))
    assert counts == [1, 30, 0]
