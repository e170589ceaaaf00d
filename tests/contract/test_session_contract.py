"""What every speech session keeps, whoever carries it and whatever voice speaks.

Texts are short, so that the suite is quick with a real voice too. Run against others by naming their URLs in
FIRSTWORD_TEST_SPEECH_URLS, or by importing these tests beside a `speech` fixture of one's own.
"""

import asyncio
import json
from typing import Any

import pytest

from contract.wire import Received, SpeechPeer, answers, audio_of

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

TEXT = "Hello there. This is a second sentence."


def _speak(name: str, text: str = TEXT, **options: Any) -> dict[str, Any]:
    return {"type": "synthesize", "request_id": name, "text": text, **options}


def _delta(name: str, text: str, **options: Any) -> dict[str, Any]:
    return {"type": "text_delta", "request_id": name, "text": text, **options}


async def _one(speech: SpeechPeer, *messages: dict[str, Any] | str | bytes, until: str = "closed") -> Received:
    async with speech.session() as wire:
        return await answers(wire, *messages, until=until)


async def test_the_first_message_tells_the_protocol_and_the_limits(speech: SpeechPeer) -> None:
    ready = (await _one(speech, until="ready")).frames[0]
    assert isinstance(ready, dict)
    assert (ready["type"], ready["protocol"]) == ("ready", 1)
    assert ready["limits"].keys() >= {"max_text_chars", "max_lead_s", "max_queued_requests", "text_timeout_s"}


async def test_one_request_is_started_spoken_sentence_by_sentence_and_completed(speech: SpeechPeer) -> None:
    received = await _one(speech, _speak("a"), {"type": "close"})
    assert received.kinds() == [
        "ready", "synthesis_start", "sentence", "audio", "sentence", "audio", "synthesis_complete", "closed",
    ]  # fmt: skip
    assert received.messages("synthesis_start")[0].items() >= {"format": "pcm_s16le", "sample_rate": 24000}.items()
    complete = received.messages("synthesis_complete")[0]
    assert complete["audio_bytes"] == len(received.audio) > 0
    assert complete["total_duration_s"] == pytest.approx(len(received.audio) / 48_000)
    assert 0 < complete["first_audio_s"] <= complete["elapsed_s"]


@pytest.mark.parametrize("rate_hz", [8_000, 16_000, 22_050, 44_100, 48_000])
async def test_a_session_speaks_at_the_rate_asked_for_with_the_same_times(speech: SpeechPeer, rate_hz: int) -> None:
    async with speech.session() as wire:
        plain = await answers(wire, _speak("a", timings=True), until="synthesis_complete")
        first = await answers(wire, _speak("b", timings=True, sample_rate=rate_hz), until="synthesis_complete")
        again = await answers(wire, _speak("c", timings=True, sample_rate=rate_hz), until="synthesis_complete")
    assert first.messages("synthesis_start")[0]["sample_rate"] == rate_hz
    assert all(len(frame) % 2 == 0 and 64 <= len(frame) <= 16_384 for frame in first.frames if isinstance(frame, bytes))
    assert len(first.audio) / (2 * rate_hz) == pytest.approx(len(plain.audio) / 48_000, abs=0.005)
    complete = first.messages("synthesis_complete")[0]
    assert complete["total_duration_s"] == pytest.approx(len(first.audio) / (2 * rate_hz), abs=1e-6)
    for kind, field in (("timings", "words"), ("sentence", "audio_offset_s")):
        assert [each[field] for each in first.messages(kind)] == [each[field] for each in plain.messages(kind)]
    assert again.audio == first.audio


async def test_sentences_tell_where_they_stand_in_text_and_audio(speech: SpeechPeer) -> None:
    received = await _one(speech, _speak("a"), until="synthesis_complete")
    offset = 0
    for frame in received.frames:
        if isinstance(frame, bytes):
            offset += len(frame)
        elif frame["type"] == "sentence":
            assert frame["audio_offset_s"] == pytest.approx(offset / 48_000, abs=1e-6)
            assert TEXT[frame["char_start"] : frame["char_end"]] == frame["text"]
    assert [message["index"] for message in received.messages("sentence")] == [0, 1]


async def test_timings_follow_their_sentence_and_point_into_the_original_text(speech: SpeechPeer) -> None:
    text = "**Hello** there."
    received = await _one(speech, _speak("a", text, timings=True), until="synthesis_complete")
    kinds = received.kinds()
    assert kinds[kinds.index("sentence") + 1] == "timings"
    words = received.messages("timings")[0]["words"]
    assert [text[word["char_start"] : word["char_end"]] for word in words] == ["Hello", "there"]
    assert all(0 <= word["start_s"] < word["end_s"] <= len(received.audio) / 48_000 + 0.03 for word in words)


async def test_no_timings_come_unless_they_are_asked_for(speech: SpeechPeer) -> None:
    assert (await _one(speech, _speak("a"), until="synthesis_complete")).messages("timings") == []


async def test_json_is_understood_in_binary_frames_too(speech: SpeechPeer) -> None:
    as_text = await _one(speech, _speak("a"), until="synthesis_complete")
    as_binary = await _one(speech, json.dumps(_speak("a")).encode(), until="synthesis_complete")
    assert as_binary.audio == as_text.audio


async def test_a_message_without_type_or_id_is_spoken(speech: SpeechPeer) -> None:
    received = await _one(speech, {"text": "Hello there."}, until="synthesis_complete")
    assert received.messages("synthesis_start")[0]["request_id"]
    assert received.audio


async def test_audio_frames_are_even_and_of_a_size_that_cannot_be_mistaken(speech: SpeechPeer) -> None:
    received = await _one(speech, _speak("a"), until="synthesis_complete")
    sizes = [len(frame) for frame in received.frames if isinstance(frame, bytes)]
    assert all(64 <= size <= 16_384 and size % 2 == 0 for size in sizes)


async def test_requests_are_answered_in_order_and_never_mixed(speech: SpeechPeer) -> None:
    texts = {"a": "First of all.", "b": "And second.", "c": "Third comes last."}
    alone = {name: (await _one(speech, _speak(name, text), until="synthesis_complete")).audio
             for name, text in texts.items()}  # fmt: skip
    received = await _one(speech, *(_speak(name, text) for name, text in texts.items()), {"type": "close"})
    assert [message["request_id"] for message in received.messages("synthesis_complete")] == ["a", "b", "c"]
    assert {name: audio_of(received, name) for name in texts} == alone


async def test_the_session_waits_for_the_next_message_and_only_close_ends_it(speech: SpeechPeer) -> None:
    async with speech.session() as wire:
        for name in ("a", "b", "c"):
            assert (await answers(wire, _speak(name, "Hello there."), until="synthesis_complete")).audio
        await answers(wire, {"type": "close"}, until="closed")
        assert await wire.receive() is None


async def test_live_text_is_spoken_and_completed_at_its_end(speech: SpeechPeer) -> None:
    deltas = [_delta("a", part) for part in ("Hel", "lo the", "re. And ", "more", ".")]
    received = await _one(speech, *deltas, {"type": "text_end", "request_id": "a"}, until="synthesis_complete")
    assert [message["text"] for message in received.messages("sentence")] == ["Hello there.", "And more."]


async def test_a_finished_sentence_of_live_text_is_spoken_while_the_rest_is_awaited(speech: SpeechPeer) -> None:
    async with speech.session() as wire:
        received = await answers(wire, _delta("a", "Hello there. And then"), until="sentence")
        assert received.messages("sentence")[0]["text"] == "Hello there."
        rest = await answers(wire, {"type": "text_end", "request_id": "a"}, until="synthesis_complete")
        assert rest.messages("sentence")[0]["text"] == "And then"


async def test_a_pause_in_live_text_releases_a_sentence_that_is_complete(speech: SpeechPeer) -> None:
    async with speech.session() as wire:
        received = await answers(wire, _delta("a", "The answer is ready now."), until="sentence")
        assert received.messages("sentence")[0]["text"] == "The answer is ready now."


async def test_close_speaks_what_came_before_it(speech: SpeechPeer) -> None:
    received = await _one(speech, _delta("a", "Hello the"), _delta("a", "re"), {"type": "close"})
    assert received.messages("sentence")[0]["text"] == "Hello there"
    assert received.kinds()[-2:] == ["synthesis_complete", "closed"]


async def test_cancel_is_acknowledged_and_no_audio_of_the_request_follows(speech: SpeechPeer) -> None:
    async with speech.session() as wire:
        await answers(wire, _speak("a", TEXT * 10), until="sentence")
        cancelled = await answers(wire, {"type": "cancel", "request_id": "a"}, until="synthesis_cancelled")
        sent = cancelled.messages("synthesis_cancelled")[0]["audio_bytes"]
        after = await answers(wire, _speak("b", "Hello there."), until="synthesis_complete")
        assert after.kinds() == ["synthesis_start", "sentence", "audio", "synthesis_complete"]
        assert sent >= len(cancelled.audio)
        assert after.messages("synthesis_complete")[0]["audio_bytes"] == len(after.audio)


async def test_cancel_of_a_finished_request_is_acknowledged_again_and_again(speech: SpeechPeer) -> None:
    async with speech.session() as wire:
        await answers(wire, _speak("a", "Hello there."), until="synthesis_complete")
        cancel = {"type": "cancel", "request_id": "a"}
        again = await answers(wire, cancel, cancel, _delta("a", "late"), until="synthesis_cancelled", count=2)
        assert again.kinds() == ["synthesis_cancelled", "synthesis_cancelled"]


async def test_cancel_without_an_id_then_close_aborts_everything(speech: SpeechPeer) -> None:
    requests = [_speak("a", TEXT * 10), _speak("b", TEXT * 10), _delta("c", "Live")]
    received = await _one(speech, *requests, {"type": "cancel"}, {"type": "close"})
    assert [message["request_id"] for message in received.messages("synthesis_cancelled")] == ["a", "b", "c"]
    assert received.messages("synthesis_complete") == []


BAD_FRAMES: list[tuple[str | bytes, str]] = [
    ("{broken", "bad_json"),
    (b"\x00\xffgarbage", "bad_json"),
    ("[1, 2]", "bad_message"),
    ('"text"', "bad_message"),
    ('{"type": "sing"}', "bad_message"),
    ('{"text": "", "request_id": "x"}', "text_required"),
    ('{"text": " \\n ", "request_id": "x"}', "text_required"),
    ('{"text": "Hi.", "voice": "nobody", "request_id": "x"}', "unknown_voice"),
    ('{"text": "Hi.", "voice": "", "request_id": "x"}', "unknown_voice"),
    ('{"text": "Hi.", "voice": "af_heart*x", "request_id": "x"}', "unknown_voice"),
    ('{"text": "Hi.", "speed": 0, "request_id": "x"}', "bad_speed"),
    ('{"text": "Hi.", "speed": "fast", "request_id": "x"}', "bad_speed"),
    ('{"text": "Hi.", "speed": NaN, "request_id": "x"}', "bad_speed"),
    ('{"text": "Hi.", "language": "tlh", "request_id": "x"}', "bad_language"),
    ('{"text": "Hi.", "sample_rate": 12345, "request_id": "x"}', "bad_format"),
]


@pytest.mark.parametrize(("frame", "code"), BAD_FRAMES)
async def test_a_bad_message_is_told_and_the_session_lives(speech: SpeechPeer, frame: str | bytes, code: str) -> None:
    async with speech.session() as wire:
        error = (await answers(wire, frame, until="error")).messages("error")[0]
        assert error["code"] == code
        assert error["message"]
        assert (await answers(wire, _speak("after", "Hello there."), until="synthesis_complete")).audio


@pytest.mark.parametrize("text", ["…", "🎉", "🎉 🎉", "---", "!?", "\ud800"])
async def test_text_with_nothing_to_say_completes_without_audio(speech: SpeechPeer, text: str) -> None:
    received = await _one(speech, _speak("a", text), {"type": "close"})
    assert received.kinds() == ["ready", "synthesis_start", "synthesis_complete", "closed"]
    assert received.messages("synthesis_complete")[0]["audio_bytes"] == 0


@pytest.mark.parametrize("text", ["no punctuation at all", "Hi\x00 th\x07ere.", "Tabs\tand\r\nlines.", "Hello 世界."])
async def test_odd_text_is_spoken_to_its_end(speech: SpeechPeer, text: str) -> None:
    assert (await _one(speech, _speak("a", text), until="synthesis_complete")).audio


async def test_a_duplicate_id_is_told_and_the_first_is_spoken(speech: SpeechPeer) -> None:
    received = await _one(speech, _speak("a", "Hello there."), _speak("a", "Again."), {"type": "close"})
    assert [error["code"] for error in received.messages("error")] == ["duplicate_request_id"]
    assert len(received.messages("synthesis_complete")) == 1


async def test_text_too_long_is_refused(speech: SpeechPeer) -> None:
    async with speech.session() as wire:
        limit = (await answers(wire, until="ready")).messages("ready")[0]["limits"]["max_text_chars"]
        error = (await answers(wire, _speak("a", "x" * (limit + 1)), until="error")).messages("error")[0]
    assert (error["code"], error["request_id"], error["terminal"]) == ("text_too_long", "a", True)


async def test_the_same_message_gives_the_same_audio_alone_and_beside_others(speech: SpeechPeer) -> None:
    alone = (await _one(speech, _speak("a", speed=1.2), until="synthesis_complete")).audio
    together = await asyncio.gather(
        *(_one(speech, _speak("a", speed=1.2), until="synthesis_complete") for _ in range(3))
    )
    assert [received.audio == alone for received in together] == [True] * 3


async def test_a_joined_request_is_said_in_one_and_always_the_same(speech: SpeechPeer) -> None:
    text = "Hello there. And again."
    apart = await _one(speech, _speak("a", text), until="synthesis_complete")
    joined = [await _one(speech, _speak(name, text, joined=True), until="synthesis_complete") for name in ("b", "c")]
    assert [sentence["text"] for sentence in apart.messages("sentence")] == ["Hello there.", "And again."]
    assert [[sentence["text"] for sentence in each.messages("sentence")] for each in joined] == [[text]] * 2
    assert joined[0].audio == joined[1].audio != apart.audio


async def test_without_trim_a_request_keeps_the_voices_own_silence(speech: SpeechPeer) -> None:
    trimmed = await _one(speech, _speak("a", "Hello there."), until="synthesis_complete")
    whole = await _one(speech, _speak("a", "Hello there.", trim=False), until="synthesis_complete")
    assert len(whole.audio) > len(trimmed.audio)
