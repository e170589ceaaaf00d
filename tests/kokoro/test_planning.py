"""Cuts: at punctuation before words, at words before anything else, and nothing lost."""

from hypothesis import given
from hypothesis import strategies as st

from firstword.kokoro.planning import Pronunciation, WordSpan, pause_s, plan_pieces
from firstword.kokoro.synthesizer import VoiceOptions

_VOCABULARY = {symbol: index for index, symbol in enumerate(' .,!?;:—…"()“”abcdefgh', start=1)}


def spelled(text: str) -> Pronunciation:
    """A pronunciation in which every letter says itself."""
    words, start = [], 0
    for index, symbol in enumerate(text + " "):
        if not symbol.isalpha():
            if start < index:
                words.append(WordSpan(char_start=start, char_end=index, first=start, last=index))
            start = index + 1
    return Pronunciation(phonemes=text, words=tuple(words))


def cut(text: str, max_tokens: int) -> list[str]:
    return [piece.text for piece in plan_pieces(text, spelled(text), _VOCABULARY, VoiceOptions(), max_tokens)]


@given(st.text(alphabet="abc .,!", max_size=200), st.integers(min_value=1, max_value=40))
def test_every_letter_is_in_exactly_one_piece_and_no_piece_is_too_long(text: str, max_tokens: int) -> None:
    pieces = plan_pieces(text, spelled(text), _VOCABULARY, VoiceOptions(), max_tokens)
    assert all(0 < len(piece.tokens) <= max_tokens for piece in pieces)
    letters = "".join(symbol for piece in pieces for symbol in piece.phonemes if symbol.isalpha())
    assert letters == "".join(symbol for symbol in text if symbol.isalpha())
    for piece in pieces:
        assert text[piece.char_start : piece.char_end] == piece.text
        assert all(0 <= first < last <= len(piece.tokens) for *_, first, last in piece.words)


@given(st.text(alphabet="abc .,!", max_size=200))
def test_a_text_that_fits_is_one_piece(text: str) -> None:
    assert len(cut(text, 200)) == (1 if any(symbol.isalpha() for symbol in text) else 0)


def test_a_cut_prefers_the_end_of_a_sentence_then_a_clause_then_a_word() -> None:
    assert cut("abc abc abc. abc abc", 15) == ["abc abc abc.", "abc abc"]
    assert cut("abc abc abc, abc abc", 15) == ["abc abc abc,", "abc abc"]
    assert cut("abc abc abc abc abc", 15) == ["abc abc", "abc abc abc"]
    assert cut("abc, abc abc abc. abc abc", 20) == ["abc, abc abc abc.", "abc abc"]


def test_a_cut_leaves_no_crumb_at_the_end() -> None:
    assert [len(piece) for piece in cut("abc " * 26, 100)] == [51, 51]


def test_an_opening_quote_goes_with_what_it_opens() -> None:
    text = "abc abc abc. “abc abc”"
    pieces = plan_pieces(text, spelled(text), _VOCABULARY, VoiceOptions(), 15)
    assert [piece.phonemes for piece in pieces] == ["abc abc abc.", "“abc abc”"]


def test_a_word_longer_than_a_piece_is_cut_where_it_must_be() -> None:
    pieces = plan_pieces("a" * 25, spelled("a" * 25), _VOCABULARY, VoiceOptions(), 10)
    assert [piece.phonemes for piece in pieces] == ["a" * 10, "a" * 10, "a" * 5]


def test_a_pause_is_shorter_at_higher_speed() -> None:
    text = "abc."
    (fast,) = plan_pieces(text, spelled(text), _VOCABULARY, VoiceOptions(speed=2.0), 10)
    assert fast.pause_after_s == pause_s(text) / 2
    assert pause_s("abc.”") == pause_s("abc!") > pause_s("abc,") > pause_s("abc") == 0.0
