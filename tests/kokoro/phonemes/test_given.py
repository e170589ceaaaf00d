"""Words that come with their phonemes are said so, and everything around them as before."""

from firstword.kokoro.phonemes.given import pronounce_around
from firstword.kokoro.planning import Pronunciation, WordSpan


def _spell(text: str) -> Pronunciation:
    """A language that says letters as they are."""
    words, at = [], 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        lead = len(text) - len(text.lstrip())
        words.append(WordSpan(char_start=start, char_end=at, first=start - lead, last=at - lead))
    return Pronunciation(phonemes=text.strip(), words=tuple(words))


def _said(text: str, *given: tuple[int, int, str]) -> tuple[str, list[tuple[str, str]]]:
    said = pronounce_around(text, given, _spell)
    pairs = [(text[word.char_start : word.char_end], said.phonemes[word.first : word.last]) for word in said.words]
    return said.phonemes, pairs


def test_without_given_words_the_language_says_it_all() -> None:
    assert pronounce_around("a b", (), _spell) == _spell("a b")


def test_a_given_word_stands_between_the_others_as_it_stands_in_the_text() -> None:
    phonemes, pairs = _said("see Kokoro run", (4, 10, "kˈOkəɹO"))
    assert phonemes == "see kˈOkəɹO run"
    assert pairs == [("see", "see"), ("Kokoro", "kˈOkəɹO"), ("run", "run")]


def test_what_touches_a_given_word_touches_its_phonemes() -> None:
    assert _said("(Bob's)", (1, 4, "bˈɑb"))[0] == "(bˈɑb's)"


def test_given_words_may_be_first_last_and_side_by_side() -> None:
    phonemes, pairs = _said("東京 Bob", (0, 2, "tˈOkjO"), (3, 6, "bˈɑb"))
    assert (phonemes, pairs) == ("tˈOkjO bˈɑb", [("東京", "tˈOkjO"), ("Bob", "bˈɑb")])


def test_the_plain_g_is_the_ipas_and_what_the_voice_lacks_is_dropped() -> None:
    assert _said("go", (0, 2, "gˈO@"))[0] == "ɡˈO"
    assert _said("go on", (0, 2, "@"))[0] == "on"
