"""An answer over one connection: in order, joined, resumed, cancelled, and never hanging."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from fakes.speech_peer import SpeechPeer, spoken
from firstword.client import (
    AudioChunk,
    Connection,
    Event,
    Sentence,
    SynthesisCancelled,
    SynthesisComplete,
    SynthesisStart,
    Timings,
    stream,
)
from firstword.client.part import Options
from firstword.client.pauses import pause_after
from firstword.config import ClientSettings
from firstword.errors import ConnectFailed, ConnectionLost, FirstwordError, RemoteError, TransportTimeout
from firstword.protocol.messages import Cancel, ClientMessage, Error, Playback, Synthesize

pytestmark = pytest.mark.anyio

TEXT = "One is here. Two is longer than one. Three ends it."
PIECES = ["One is here.", "Two is longer than one.", "Three ends it."]
SETTINGS = ClientSettings(reconnect_delay_s=0.0, receive_timeout_s=5.0, cancel_timeout_s=2.0, close_timeout_s=2.0)


def connection(peer: SpeechPeer, settings: ClientSettings = SETTINGS, **options: object) -> Connection:
    chosen = Options(**options)  # type: ignore[arg-type]  # a test names only what it sets
    return Connection(peer.dial, chosen, settings, first_chunk="sentence", delivery="sentences")


def whole(pieces: list[str]) -> bytes:
    return pause_after(".").join(spoken(piece) for piece in pieces)


def audio(events: list[Event]) -> bytes:
    return b"".join(event.pcm for event in events if isinstance(event, AudioChunk))


async def say(
    peer: SpeechPeer, text: object = TEXT, settings: ClientSettings = SETTINGS, **options: object
) -> list[Event]:
    async with asyncio.timeout(20), peer.running(), connection(peer, settings, **options) as speech:
        return [event async for event in speech.stream(text)]  # type: ignore[arg-type]  # each test's own source


async def live(*fragments: str) -> AsyncIterator[str]:
    for fragment in fragments:
        await asyncio.sleep(0)
        yield fragment


async def test_sentences_of_one_text_come_as_one_answer() -> None:
    events = await say(SpeechPeer(), timings=True, voice="af_bella")
    assert audio(events) == whole(PIECES)
    assert isinstance(events[0], SynthesisStart)
    assert events[0].voice == "af_bella"
    sentences = [event for event in events if isinstance(event, Sentence)]
    assert [(event.index, event.text) for event in sentences] == list(enumerate(PIECES))
    assert [TEXT[event.char_start : event.char_end] for event in sentences] == PIECES
    for number, sentence in enumerate(sentences):
        before = len(whole(PIECES[:number])) + (len(pause_after(".")) if number else 0)
        assert sentence.audio_offset_s == pytest.approx(before / 48000, abs=1e-6)
    for timing in (event for event in events if isinstance(event, Timings)):
        assert [TEXT[word.char_start : word.char_end] for word in timing.words] == [word.word for word in timing.words]
        assert timing.words[0].start_s == pytest.approx(sentences[timing.index].audio_offset_s, abs=1e-6)
    last = events[-1]
    assert isinstance(last, SynthesisComplete)
    assert last.audio_bytes == len(audio(events))
    assert sum(isinstance(event, SynthesisStart | SynthesisComplete) for event in events) == 2


@pytest.mark.parametrize("source", ["str", "list", "generator", "async"])
async def test_text_may_come_whole_in_a_list_from_a_generator_or_live(source: str) -> None:
    fragments = [TEXT[at : at + 4] for at in range(0, len(TEXT), 4)]

    def blocking() -> Iterator[str]:
        yield from fragments

    sources = {"str": TEXT, "list": fragments, "generator": blocking(), "async": live(*fragments)}
    assert audio(await say(SpeechPeer(), sources[source])) == whole(PIECES)


async def test_a_sentence_is_sent_while_the_text_still_comes() -> None:
    peer, heard = SpeechPeer(), asyncio.Event()

    async def text() -> AsyncIterator[str]:
        yield "One is here. T"
        await heard.wait()
        yield "wo is longer than one."

    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        async for event in speech.stream(text()):
            if isinstance(event, AudioChunk):
                heard.set()
    assert peer.texts() == PIECES[:2]


async def test_a_pause_in_the_text_releases_a_finished_sentence() -> None:
    peer, heard = SpeechPeer(), asyncio.Event()

    async def text() -> AsyncIterator[str]:
        yield "One is here."
        await heard.wait()

    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        async for event in speech.stream(text()):
            if isinstance(event, AudioChunk):
                heard.set()
    assert peer.texts() == PIECES[:1]


@pytest.mark.parametrize("lost_after", [960, len(spoken(PIECES[0])), len(spoken(PIECES[0])) + 1920, 99999999])
async def test_after_a_loss_only_what_was_not_received_is_asked_again_and_no_sample_is_lost(lost_after: int) -> None:
    peer = SpeechPeer(lose_after={1: lost_after})
    events = await say(peer, timings=True)
    assert audio(events) == whole(PIECES)
    sentences = [event for event in events if isinstance(event, Sentence)]
    assert [event.text for event in sentences] == PIECES
    assert [event.index for event in events if isinstance(event, Timings)] == [0, 1, 2]
    if lost_after > len(spoken(PIECES[0])):
        assert PIECES[0] not in peer.texts(session=2)


async def test_several_losses_in_one_answer_are_survived() -> None:
    peer = SpeechPeer(lose_after={1: 960, 2: 960, 3: 7680})
    assert audio(await say(peer)) == whole(PIECES)
    assert peer.sessions == 4


async def test_too_many_losses_end_in_a_typed_error() -> None:
    peer = SpeechPeer(lose_after=dict.fromkeys(range(1, 10), 960))
    with pytest.raises(ConnectionLost):
        await say(peer)
    assert peer.sessions == 1 + SETTINGS.max_reconnects


async def test_a_server_that_does_not_come_back_ends_in_a_typed_error() -> None:
    peer = SpeechPeer(lose_after={1: 960}, refuse_sessions=set(range(2, 9)))
    with pytest.raises(ConnectFailed, match=r"cut after 0\.0 s of its speech"):
        await say(peer)


async def test_a_server_that_comes_back_late_is_asked_again() -> None:
    peer = SpeechPeer(lose_after={1: 960}, refuse_sessions={2, 3})
    assert audio(await say(peer)) == whole(PIECES)


async def test_a_silent_server_is_a_timeout() -> None:
    settings = ClientSettings(
        receive_timeout_s=0.05, reconnect_delay_s=0.0, cancel_timeout_s=0.05, close_timeout_s=0.05
    )
    with pytest.raises(TransportTimeout):
        await say(SpeechPeer(silent=True), settings=settings)


async def test_an_overloaded_server_is_asked_again() -> None:
    assert audio(await say(SpeechPeer(overloaded_once=True))) == whole(PIECES)


@pytest.mark.parametrize(("code", "waits_s"), [("connection_lost", [0.2, 0.4, 0.8]), ("overloaded", [1.0, 2.0, 4.0])])
def test_a_busy_voice_is_given_seconds_before_it_is_asked_again(code: str, waits_s: list[float]) -> None:
    first_s = ClientSettings().reconnect_delay_s
    assert [stream._delay_s(first_s, turn, code) for turn in (1, 2, 3)] == pytest.approx(waits_s)


async def test_what_the_server_refuses_is_raised_with_its_code() -> None:
    refusal = Error(code="unknown_voice", message="There is no voice x.", request_id="a.1")
    peer = SpeechPeer(error=refusal)
    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        with pytest.raises(RemoteError) as caught:
            async for _ in speech.stream("One.", request_id="a"):
                pass
        assert caught.value.code == "unknown_voice"
        peer.error = None
        assert audio([event async for event in speech.stream("One.")]) == spoken("One.")
    assert peer.sessions == 1


async def test_what_the_text_raises_is_raised_and_the_connection_lives_on() -> None:
    async def text() -> AsyncIterator[str]:
        yield "One is here. And"
        raise LookupError("the model broke")

    peer = SpeechPeer()
    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        with pytest.raises(LookupError, match="the model broke"):
            async for _ in speech.stream(text()):
                pass
        assert audio([event async for event in speech.stream(TEXT)]) == whole(PIECES)


async def test_a_peer_whose_frames_have_lost_their_labels_is_understood() -> None:
    assert audio(await say(SpeechPeer(unlabelled=True))) == whole(PIECES)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ('{"type": "error", "message": "\'text\'"}', "frame_type_fault"),
        ('{"type": "error", "error": "out of memory"}', "remote"),
        ('{"type": "error", "code": "odd", "message": "no"}', "odd"),
        ('{"type": "synthesis_start"}', "protocol"),
        ("[]", "protocol"),
        ("{", "protocol"),
    ],
)
async def test_what_a_foreign_container_says_is_a_typed_error(frame: str, code: str) -> None:
    with pytest.raises(FirstwordError) as caught:
        await say(SpeechPeer(says_first=frame))
    assert caught.value.code == code


async def test_after_a_cancel_no_audio_comes_and_the_session_is_used_again() -> None:
    peer = SpeechPeer()
    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        events = []
        async for event in speech.stream(TEXT, request_id="a"):
            events.append(event)
            if isinstance(event, AudioChunk):
                await speech.cancel("another")
                await speech.cancel("a")
        assert isinstance(events[-1], SynthesisCancelled)
        assert sum(isinstance(event, AudioChunk) for event in events) == 1
        assert events[-1].audio_bytes == len(audio(events))
        assert any(isinstance(message, Cancel) for _, message in peer.received)
        assert audio([event async for event in speech.stream(TEXT)]) == whole(PIECES)
    assert peer.sessions == 1


async def test_a_cancel_before_any_audio_ends_the_stream() -> None:
    hold = asyncio.Event()
    peer = SpeechPeer(hold_audio=hold)
    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        events = []
        async for event in speech.stream(TEXT):
            events.append(event)
            if isinstance(event, Sentence):
                await speech.cancel()
        hold.set()
    assert [type(event) for event in events] == [SynthesisStart, Sentence, SynthesisCancelled]


async def test_leaving_the_loop_cancels_the_answer() -> None:
    peer = SpeechPeer()
    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        async for event in speech.stream(TEXT):
            if isinstance(event, AudioChunk):
                break
        assert audio([event async for event in speech.stream(TEXT)]) == whole(PIECES)
    assert peer.sessions == 1


async def test_a_cancel_that_is_not_acknowledged_drops_the_session() -> None:
    settings = ClientSettings(cancel_timeout_s=0.05, close_timeout_s=0.05, reconnect_delay_s=0.0)
    peer = SpeechPeer(hold_audio=asyncio.Event())
    async with asyncio.timeout(10), peer.running(), connection(peer, settings) as speech:
        async for event in speech.stream(TEXT):
            if isinstance(event, Sentence):
                for task in peer._tasks:
                    task.cancel()
                await speech.cancel()
        assert peer.hold_audio is not None
        peer.hold_audio.set()
        assert audio([event async for event in speech.stream(TEXT)]) == whole(PIECES)
    assert peer.sessions == 2


async def test_a_session_that_is_going_away_is_followed_by_another_between_requests() -> None:
    peer = SpeechPeer(leave_after={1: 1})
    settings = ClientSettings(max_unanswered=1, reconnect_delay_s=0.0)
    assert audio(await say(peer, settings=settings)) == whole(PIECES)
    assert peer.sessions == 2
    assert 1 in peer.closed


async def test_an_old_session_is_replaced_and_nothing_is_lost() -> None:
    peer = SpeechPeer()
    settings = ClientSettings(rotate_after_s=0.05, max_unanswered=2, reconnect_delay_s=0.0)
    async with asyncio.timeout(20), peer.running(), connection(peer, settings) as speech:
        for _ in range(4):
            turns = asyncio.Event()

            async def text(turns: asyncio.Event = turns) -> AsyncIterator[str]:
                for piece in PIECES:
                    yield piece + " "
                    await asyncio.wait_for(turns.wait(), 5)
                    turns.clear()
                    await asyncio.sleep(0.03)

            events = []
            async for event in speech.stream(text()):
                events.append(event)
                if isinstance(event, AudioChunk):
                    turns.set()
            assert audio(events) == whole(PIECES)
    assert peer.sessions > 2
    assert len(peer.texts()) == 12


async def test_the_listeners_place_is_told_in_the_seconds_of_each_request() -> None:
    peer = SpeechPeer()
    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        heard = 0
        async for event in speech.stream(TEXT, request_id="a"):
            if isinstance(event, AudioChunk):
                heard += len(event.pcm)
                await speech.played(heard / 48000)
    places = [message for _, message in peer.received if isinstance(message, Playback)]
    assert {place.request_id.partition(".")[0] for place in places} == {"a"}
    assert all(0 < place.played_s <= len(spoken(PIECES[1])) / 48000 for place in places)


async def test_text_with_nothing_in_it_is_an_answer_without_audio() -> None:
    events = await say(SpeechPeer(), live("  ", "\n"))
    assert [type(event) for event in events] == [SynthesisComplete]


async def test_lone_surrogates_are_said_as_something_and_offsets_stay() -> None:
    peer = SpeechPeer()
    events = await say(peer, "A \ud83d b. Next one.")
    assert peer.texts() == ["A � b.", "Next one."]
    assert [event.char_start for event in events if isinstance(event, Sentence)] == [0, 7]


class Received(list[tuple[int, ClientMessage]]):
    """What a peer was asked; the request numbered `holds` sets `hold` after `delay_s`, and so lets all audio go."""

    def __init__(self, hold: asyncio.Event, *, holds: int, delay_s: float) -> None:
        self._hold, self._holds, self._delay_s = hold, holds, delay_s

    def append(self, item: tuple[int, ClientMessage]) -> None:
        super().append(item)
        if len(self) == self._holds:
            asyncio.get_running_loop().call_later(self._delay_s, self._hold.set)


async def test_what_waits_behind_plenty_of_speech_is_asked_for_in_one_once_the_voice_is_known() -> None:
    peer, heard = SpeechPeer(), asyncio.Event()
    long = f"This sentence {'goes on and on and ' * 9}takes a voice two seconds to say."
    settings = replace(SETTINGS, join_after_s=0.5)

    async def text() -> AsyncIterator[str]:
        yield f"{long} One is"
        await heard.wait()
        for fragment in (f" here. {PIECES[1]} Three", " ends it."):
            yield fragment

    async with asyncio.timeout(20), peer.running(), connection(peer, settings) as speech:
        _ = [event async for event in speech.stream(long)]
        events = []
        async for event in speech.stream(text()):
            events.append(event)
            if isinstance(event, AudioChunk):
                heard.set()
    assert [event.text for event in events if isinstance(event, Sentence)] == [long, TEXT]
    asked = [message for _, message in peer.received if isinstance(message, Synthesize)]
    assert [(message.text, message.joined) for message in asked[1:]] == [(long, False), (TEXT, True)]


async def test_nothing_is_joined_for_a_listener_that_has_nothing_to_hear_however_much_was_asked_for() -> None:
    hold = asyncio.Event()
    peer = SpeechPeer(hold_audio=hold, received=Received(hold, holds=5, delay_s=0.0))
    long = f"This sentence {'goes on and on and ' * 9}takes a voice two seconds to say."
    async with asyncio.timeout(20), peer.running(), connection(peer, replace(SETTINGS, join_after_s=0.5)) as speech:
        hold.set()
        _ = [event async for event in speech.stream(long)]
        hold.clear()
        fragments = live(f"{long} One is", f" here. {PIECES[1]} Three", " ends it.")
        events = [event async for event in speech.stream(fragments)]
    assert [event.text for event in events if isinstance(event, Sentence)] == [long, *PIECES]


async def test_for_a_file_every_sentence_is_asked_for_alone_however_much_there_is() -> None:
    peer = SpeechPeer()
    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        _ = [event async for event in speech.stream("This sentence is one of a good many. " * 9, paced=False)]
    assert len(peer.texts()) == 9


async def test_a_first_chunk_is_longer_once_the_voice_has_proved_slow() -> None:
    hold = asyncio.Event()
    peer = SpeechPeer(hold_audio=hold, received=Received(hold, holds=1, delay_s=0.2))
    text = "Well, as you can see now, this one has rather few commas, though it has many words in it. End."
    async with asyncio.timeout(10), peer.running(), connection(peer) as speech:
        _ = [event async for event in speech.stream("A b.")]
        _ = [event async for event in speech.stream(text, first_chunk="clause")]
    assert peer.texts()[1] == "Well, as you can see now, this one has rather few commas,"
