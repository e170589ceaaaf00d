"""Sentences that wait: one by one while they are needed, a few in one when not, nothing lost either way."""

from hypothesis import given
from hypothesis import strategies as st

from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.joining import WaitingSentences
from firstword.text.pace import MAX_JOINED_CHARS, Pace

FIVE = "One is here. Two is  longer. Three too.\nFour follows. Five ends it."


def fast() -> Pace:
    pace = Pace()
    pace.learn(characters=100, audio_s=6.5, first_s=0.65, whole_s=0.65)
    return pace


def waiting(text: str, pace: Pace | None) -> WaitingSentences:
    chunker = IncrementalSentenceChunker("en")
    sentences = WaitingSentences(pace)
    sentences.add(text, chunker.feed(text) + chunker.flush())
    return sentences


def taken(text: str, pace: Pace | None, lead_s: float) -> list[str]:
    sentences = waiting(text, pace)
    return [sentences.take(lead_s).text for _ in iter(lambda: len(sentences), 0)]


def test_a_listener_with_little_to_hear_gets_each_sentence_alone() -> None:
    assert taken(FIVE, fast(), 3.9) == [
        "One is here.",
        "Two is  longer.",
        "Three too.",
        "Four follows.",
        "Five ends it.",
    ]


def test_a_listener_with_plenty_gets_up_to_three_as_they_stand_within_a_paragraph() -> None:
    assert taken(FIVE, fast(), 6.0) == ["One is here. Two is  longer. Three too.", "Four follows. Five ends it."]
    assert taken("A b c. " * 4, fast(), 6.0) == ["A b c. A b c. A b c.", "A b c."]


def test_without_a_pace_nothing_is_joined() -> None:
    assert len(taken(FIVE, None, 60.0)) == 5


def test_what_is_joined_is_no_longer_than_one_inference_takes() -> None:
    text = f"{'word ' * 30}ends. " * 3
    assert [len(each) for each in taken(text, fast(), 60.0)] == [len(text) // 3 - 1] * 3


def test_a_slow_voice_joins_only_what_it_can_make_in_time() -> None:
    slow = Pace()
    slow.learn(characters=100, audio_s=6.5, first_s=3.9, whole_s=3.9)
    sentence = "This sentence has about fifty characters, not more."
    assert len(taken(f"{sentence} {sentence}", slow, 6.0)) == 2
    assert len(taken(f"{sentence} {sentence}", slow, 12.0)) == 1


def test_what_may_still_grow_can_wait_and_what_cannot_goes_at_once() -> None:
    assert waiting("One is here.", fast()).release_lead_s() == 4.0
    assert waiting("One. Two. Three.", fast()).release_lead_s() == float("inf")
    assert waiting("One is here.\nTwo.", fast()).release_lead_s() == float("inf")
    assert waiting("One is here.", Pace(join_after_s=0.0)).release_lead_s() == float("inf")


@given(
    text=st.lists(
        st.sampled_from(
            ["One.", "Two, too!", " ", "\n", "  ", "- item", "「好。」", "So it goes on", "?", "🎉", "…", "`a.b`"]
        )
    ).map("".join),
    cuts=st.lists(st.integers(0, 80), max_size=6),
    leads=st.lists(st.floats(0.0, 30.0), min_size=1, max_size=9),
)
def test_joined_or_not_all_that_was_cut_comes_out_in_order(text: str, cuts: list[int], leads: list[float]) -> None:
    chunker, sentences, cut, out = IncrementalSentenceChunker("en"), WaitingSentences(fast()), [], []
    edges = sorted({0, len(text), *(place for place in cuts if place < len(text))})
    for number, (start, end) in enumerate(zip(edges, [*edges[1:], len(text)], strict=True)):
        chunks = chunker.feed(text[start:end]) + (chunker.idle() if number % 2 else [])
        chunks += chunker.flush() if start == len(text) else []
        cut += chunks
        sentences.add(text[start:end], chunks)
        if sentences and number % 3 < 2:
            out.append(sentences.take(leads[number % len(leads)]).text)
    out += [sentences.take(leads[0]).text for _ in iter(lambda: len(sentences), 0)]
    assert "".join("".join(out).split()) == "".join("".join(cut).split())
    assert all(len(each) <= MAX_JOINED_CHARS or each in cut for each in out)
    position = 0
    for each in out:
        position = text.index(each, position) + len(each)
