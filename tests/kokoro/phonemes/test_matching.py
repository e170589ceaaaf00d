"""Words and what was said for a clause of them: every word has a place, every sound a word, in order."""

from hypothesis import given
from hypothesis import strategies as st

from firstword.kokoro.phonemes.matching import match_words

_SOUNDS = {"de": ["ðe"], "la": ["la"], "mesa": ["mˈesa"], "25": ["bˈeinte", "θˈinko"], "-": []}


def match(words: str, sounds: str) -> list[tuple[str, str]]:
    given = words.split()
    found = match_words(given, sounds.split(), lambda word: _SOUNDS[word])
    return [(" ".join(given[first:last]), said) for first, last, said in found]


def test_as_many_groups_as_words_are_one_each() -> None:
    assert match("de la mesa", "ðe la mˈesa") == [("de", "ðe"), ("la", "la"), ("mesa", "mˈesa")]


def test_a_number_takes_the_groups_it_takes_by_itself() -> None:
    assert match("la 25 mesa", "la bˈeinte θˈinko mˈesa")[1] == ("25", "bˈeinte θˈinko")


def test_a_silent_word_stands_with_the_one_before() -> None:
    assert match("la - mesa", "la mˈesa") == [("la -", "la"), ("mesa", "mˈesa")]


def test_words_that_are_run_together_share_a_place_and_the_others_keep_theirs() -> None:
    assert match("mesa de la mesa", "mˈesa ðela mˈesa") == [("mesa", "mˈesa"), ("de la", "ðela"), ("mesa", "mˈesa")]


@given(
    st.lists(st.sampled_from(sorted(_SOUNDS)), min_size=1, max_size=8),
    st.lists(st.text(alphabet="abcðeˈ", min_size=1, max_size=5), max_size=8),
)
def test_nothing_is_lost_and_ranges_rise(words: list[str], sounds: list[str]) -> None:
    found = list(match_words(words, sounds, lambda word: _SOUNDS[word]))
    assert " ".join(said for _, _, said in found) == " ".join(sounds)
    ends = [0, *(last for _, last, _ in found)]
    assert all(first == end and last > first for end, (first, last, _) in zip(ends, found, strict=False))
    if found:
        assert found[-1][1] == len(words)
