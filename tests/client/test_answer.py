"""The joining of requests to one answer, for every way a session can be cut: pure, so hypothesis tries them."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.speech_peer import spoken
from firstword.client import events
from firstword.client.answer import Answer
from firstword.client.locate import Locator
from firstword.client.part import Options, Part
from firstword.client.pauses import pause_after
from firstword.errors import ConnectionLost, ProtocolError, RemoteError
from firstword.protocol import messages

PIECES = ["One.", "Two is longer.", "Three, then."]


def answered(part: Part, frame_bytes: int) -> Iterator[messages.ServerMessage | bytes]:
    """What a server says to one part."""
    name, pcm = part.request_id, spoken(part.text)
    yield messages.SynthesisStart(request_id=name, voice="v", sample_rate=24_000)
    yield messages.Sentence(request_id=name, index=0, text=part.text, audio_offset_s=0.0)
    word = messages.Word(word=part.text[:3], start_s=0.0, end_s=0.1, char_start=0, char_end=3)
    yield messages.Timings(request_id=name, index=0, words=(word,))
    yield from (pcm[at : at + frame_bytes] for at in range(0, len(pcm), frame_bytes))
    yield messages.SynthesisComplete(request_id=name, total_duration_s=0, elapsed_s=0, audio_bytes=len(pcm))


def ready_answer() -> Answer:
    answer = Answer("a", Options(timings=True))
    places = Locator(" ".join(PIECES))
    for piece in PIECES:
        start, _, wording = places.take(piece)
        answer.add(wording, start)
    answer.end_text()
    return answer


@given(cuts=st.lists(st.integers(0, 60), max_size=6), frame_bytes=st.sampled_from([64, 480, 962, 4096]))
def test_wherever_sessions_break_the_answer_is_whole_and_told_once(cuts: list[int], frame_bytes: int) -> None:
    answer, told = ready_answer(), list[events.Event]()
    for cut in [*cuts, 10_000]:
        sent = [(part, part.outgoing(answer.options)) for part in answer.open_parts()]
        assert all(len(out) == 1 for _, out in sent)
        run = (item for part, _ in sent for item in answered(part, frame_bytes))
        for _, item in zip(range(cut), run, strict=False):
            told += answer.accept(item)
        answer.sessions_lost()
    assert answer.done
    whole = pause_after(".").join(spoken(piece) for piece in PIECES)
    assert b"".join(event.pcm for event in told if isinstance(event, events.AudioChunk)) == whole
    sentences = [event for event in told if isinstance(event, events.Sentence)]
    assert [(each.index, each.text) for each in sentences] == list(enumerate(PIECES))
    timings = [event for event in told if isinstance(event, events.Timings)]
    assert [(each.index, each.words[0].char_start) for each in timings] == [(0, 0), (1, 5), (2, 20)]
    assert [round(each.words[0].start_s, 6) for each in timings] == [each.audio_offset_s for each in sentences]
    assert sum(isinstance(event, events.SynthesisStart) for event in told) == 1


def test_requests_have_names_of_their_own_in_every_session() -> None:
    answer = ready_answer()
    names = [part.request_id for part in answer.open_parts()]
    answer.sessions_lost()
    names += [part.request_id for part in answer.open_parts()]
    assert len(set(names)) == len(names)
    assert all(name.startswith("a.") for name in names)


def test_audio_that_is_missing_is_noticed() -> None:
    answer = ready_answer()
    part = next(answer.open_parts())
    *most, _, complete = answered(part, 960)
    for item in most:
        answer.accept(item)
    with pytest.raises(ProtocolError, match="announced"):
        answer.accept(complete)


def test_half_a_sample_is_noticed() -> None:
    answer = ready_answer()
    with pytest.raises(ProtocolError, match="half a sample"):
        answer.accept(b"\0" * 65)


def test_an_overloaded_server_is_to_be_asked_again_and_a_failed_one_is_not() -> None:
    answer = ready_answer()
    name = next(answer.open_parts()).request_id
    with pytest.raises(ConnectionLost):
        answer.accept(messages.Error(code="overloaded", message="full", request_id=name, retryable=True))
    with pytest.raises(RemoteError) as caught:
        answer.accept(messages.Error(code="engine_failed", message="The voice failed.", request_id=name))
    assert caught.value.code == "engine_failed"


def test_the_frame_type_fault_is_recognised_and_explained() -> None:
    with pytest.raises(RemoteError) as caught:
        ready_answer().accept(messages.Error(code="remote", message="'text'"))
    assert caught.value.code == "frame_type_fault"
    assert "binary" in caught.value.one_line()


def test_messages_about_requests_that_are_not_ours_are_passed_over() -> None:
    answer = ready_answer()
    assert answer.accept(messages.SynthesisStart(request_id="other", voice="v", sample_rate=24_000)) == []
    assert answer.accept(messages.GoingAway(deadline_s=1.0)) == []


@given(st.lists(st.text("ab .\n", min_size=1, max_size=12), min_size=1, max_size=8))
def test_pieces_are_found_where_they_stand(parts: list[str]) -> None:
    source = "".join(parts)
    pieces = [part.strip() for part in source.split(".") if part.strip()]
    places = Locator(source)
    for piece in pieces:
        start, end, wording = places.take(piece)
        assert source[start:end] == wording == piece


def test_a_piece_whose_white_space_was_changed_is_still_found() -> None:
    source = "One\n  two  three. Four."
    places = Locator(source)
    assert places.take("One two three.") == (0, 17, "One\n  two  three.")
    assert places.take("Four.") == (18, 23, "Four.")


def test_a_live_text_is_resumed_at_the_sentence_that_was_being_said() -> None:
    answer = Answer("a", Options())
    answer.feed("One is here. Two is", live=True)
    part = next(answer.open_parts())
    assert [type(message) for message in part.outgoing(answer.options)] == [messages.TextDelta]
    first, second = spoken("One is here."), spoken("Two is longer.")
    name = part.request_id
    told = answer.accept(messages.SynthesisStart(request_id=name, voice="v", sample_rate=24_000))
    told += answer.accept(messages.Sentence(request_id=name, index=0, text="One is here.", audio_offset_s=0.0))
    told += answer.accept(first)
    answer.feed(" longer.", live=True)
    answer.end_text()
    offset_s = len(first) / 48_000
    told += answer.accept(messages.Sentence(request_id=name, index=1, text="Two is longer.", audio_offset_s=offset_s))
    told += answer.accept(second[:960])
    answer.sessions_lost()
    again = next(answer.open_parts())
    sent = again.outgoing(answer.options)
    assert isinstance(sent[0], messages.TextDelta)
    assert sent[0].text == "Two is longer."
    assert isinstance(sent[1], messages.TextEnd)
    name = again.request_id
    told += answer.accept(messages.SynthesisStart(request_id=name, voice="v", sample_rate=24_000))
    told += answer.accept(messages.Sentence(request_id=name, index=0, text="Two is longer.", audio_offset_s=0.0))
    told += answer.accept(second)
    done = messages.SynthesisComplete(request_id=name, total_duration_s=0, elapsed_s=0, audio_bytes=len(second))
    told += answer.accept(done)
    assert answer.done
    assert b"".join(event.pcm for event in told if isinstance(event, events.AudioChunk)) == first + second
    assert [event.index for event in told if isinstance(event, events.Sentence)] == [0, 1]


def test_what_is_still_to_come_is_estimated_by_what_was_asked_for_and_not_yet_received() -> None:
    answer = ready_answer()

    def awaited_s() -> float:
        return round(answer.awaited_s(lambda characters: characters * 0.01), 3)

    assert awaited_s() == round(sum(map(len, PIECES)) * 0.01, 3)
    for item in answered(next(answer.open_parts()), 960):
        answer.accept(item)
    assert awaited_s() == round(sum(map(len, PIECES[1:])) * 0.01, 3)
    answer.add("```\n" + "x = 1\n" * 20 + "```", 99)
    answer.add("x" * 500, 300)
    assert awaited_s() == round(sum(map(len, PIECES[1:])) * 0.01, 3)
