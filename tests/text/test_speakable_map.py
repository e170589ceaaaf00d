"""The map: what is said knows where it was written, at once and live."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.text.edits import Edit
from firstword.text.speakable import SpeakableOptions, SpeakableStream, speakable
from firstword.text.speakable.mapped import Mapped
from firstword.text.speakable.reasoning import ReasoningFilter


@pytest.mark.parametrize("text", ["Hello there, Bob.", "It is late; we go home.", "Are you sure? Yes!"])
def test_plain_text_is_said_as_it_stands(text: str) -> None:
    spoken = speakable(text)
    assert spoken.text == text
    assert [text[a:b] for _, _, a, b in spoken.spans] == text.split()


def test_a_word_that_was_cut_by_an_edit_still_knows_its_whole_range() -> None:
    once = Mapped.of("un**believ**able").apply([Edit(2, 4, ""), Edit(10, 12, "")])
    assert once.text == "unbelievable"
    twice = once.apply([Edit(0, 12, "amazing")])
    assert [(run.source_start, run.source_end) for run in twice.runs] == [(0, 16)]


def test_reasoning_is_never_said_and_the_rest_keeps_its_place() -> None:
    text = "Yes. <think>Is it?\n\nNo.</think>It is so."
    spoken = speakable(text)
    assert spoken.text == "Yes. It is so."
    assert text[slice(*spoken.to_source(8, 10))] == "is"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>hidden</think>Shown.", "Shown."),
        ("<THINK >hidden</Think >Shown.", "Shown."),
        ("<thinking budget='3'>a < b</thinking>Shown.", "Shown."),
        ("Before. <think>never closed", "Before. "),
        ("stray</think> is dropped", "stray is dropped"),
        ("<!-- a comment -->Shown.", "Shown."),
        ("[THINK]hidden[/THINK]Shown.", "Shown."),
        ("The tag `<think>` is text.", "The tag `<think>` is text."),
        ("```\n<think>\n```\nShown.", "```\n<think>\n```\nShown."),
        ("a < b and [1] <thin", "a < b and [1] <thin"),
        ("1 <", "1 <"),
    ],
)
@given(data=st.data())
def test_the_reasoning_filter_gives_the_same_however_the_text_is_cut(text: str, said: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    hidden = ReasoningFilter()
    pieces = [
        piece for low, high in zip([0, *cuts], [*cuts, len(text)], strict=True) for piece in hidden.feed(text[low:high])
    ] + hidden.finish()
    assert "".join(piece for _, piece in pieces) == said
    assert all(text[start : start + len(piece)] == piece for start, piece in pieces)


@pytest.mark.parametrize("name", ["tool_call", "function_calls", "tool_response"])
def test_what_is_said_to_a_tool_is_not_said_to_a_listener(name: str) -> None:
    text = f'Wait. <{name}>{{"city": "Rome"}}</{name}>It rains.'
    assert speakable(text).text == "Wait. It rains."
    for cut in range(len(text)):
        filtered = ReasoningFilter()
        pieces = [*filtered.feed(text[:cut]), *filtered.feed(text[cut:]), *filtered.finish()]
        assert "".join(piece for _, piece in pieces) == "Wait. It rains.", cut


def test_a_text_that_begins_inside_reasoning_is_silent_until_it_ends() -> None:
    assert speakable("so, hm</think>Fine.", options=SpeakableOptions(inside_reasoning=True)).text == "Fine."


def test_a_stream_places_its_sentences_in_everything_that_was_fed() -> None:
    stream = SpeakableStream()
    fed = ["Hello there. <thi", "nk>what now</think>  You", " are  welcome.\n", "Bye."]
    shown = "".join([*map(stream.feed, fed), stream.finish()])
    assert shown == "Hello there.   You are  welcome.\nBye."
    source = "".join(fed)
    for sentence in ("Hello there.", "You are welcome.", "Bye."):
        spoken = stream.say(sentence)
        assert spoken.text == sentence
        assert [source[a:b] for _, _, a, b in spoken.spans] == sentence.split()
