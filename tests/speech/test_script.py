"""Text to pieces: sentences in order, offsets in the request's own text, nothing said that cannot be."""

import re
from typing import Literal

import pytest

from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import RequestRefused
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions
from firstword.kokoro.tone import ToneVoice
from firstword.kokoro.vocabulary import VOCABULARY
from firstword.speech.script import PlannedSentence, Script
from firstword.speech.uncut import Uncut
from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.speakable import SpeakableOptions


def _script(voice: ToneVoice | None = None) -> Script:
    return Script(voice or ToneVoice(), VoiceOptions(), IncrementalSentenceChunker("en-us"))


def _planned(script: Script) -> list[PlannedSentence]:
    sentences = []
    while script.has_sentence:
        if (sentence := script.next_sentence()) is not None:
            sentences.append(sentence)
    return sentences


def _read(text: str) -> list[PlannedSentence]:
    script = _script()
    script.feed(text)
    script.finish()
    return _planned(script)


def test_a_text_becomes_sentences_that_know_where_they_stand() -> None:
    text = "  One here.  **Two** there.\n\nAnd three"
    planned = _read(text)
    assert [sentence.text for sentence in planned] == ["One here.", "**Two** there.", "And three"]
    assert [text[each.char_start : each.char_end] for each in planned] == [each.text for each in planned]


def test_a_sentence_that_also_stands_in_hidden_reasoning_is_placed_where_it_is_said() -> None:
    (sentence,) = _read("<think>Yes it is.</think>Yes it is.")
    assert (sentence.char_start, sentence.char_end) == (25, 35)


def test_words_lead_back_to_what_was_written_with_the_seconds_of_the_request() -> None:
    text = "It **costs** $42.50 now."
    (sentence,) = _read(text)
    (piece,) = sentence.pieces
    words = piece.timings(ToneVoice().begin(piece.piece, CancelToken()).words, offset_s=10.0)
    written = [text[word.char_start : word.char_end] for word in words]
    assert (written[:2], written[-1]) == (["It", "costs"], "now")
    assert all("42.50" in part for part in written[2:-1])
    assert words[0].start_s == 10.0


def test_a_sentence_too_long_for_one_inference_becomes_several_pieces() -> None:
    script = _script(ToneVoice(max_piece_tokens=20))
    script.feed("these are many words that do not fit in twenty tokens at all")
    script.finish()
    (sentence,) = _planned(script)
    assert len(sentence.pieces) > 1


@pytest.mark.parametrize("text", ["", "  ", "…", "🎉", "---"])
def test_what_has_nothing_to_say_gives_no_sentence(text: str) -> None:
    assert _read(text) == []


@pytest.mark.parametrize(("text", "emoji"), [("€", "drop"), (" % ", "drop"), ("Well done.\n\n🎉", "name")])
def test_a_last_line_that_is_a_sign_is_said(text: str, emoji: Literal["drop", "name"]) -> None:
    options = SpeakableOptions(emoji=emoji)
    script = Script(ToneVoice(), VoiceOptions(), IncrementalSentenceChunker("en-us"), options)
    script.feed(text)
    assert not _planned(script)[1:]
    script.finish()
    (last,) = _planned(script)[-1:]
    assert last.text == text[last.char_start : last.char_end] == text.split()[-1]


def test_joined_sentences_are_read_one_by_one() -> None:
    text = "We met in May. 5 came."
    alone = _read(text)
    script = Script(ToneVoice(), VoiceOptions(), Uncut("en-us"), joined=True)
    script.feed(text)
    script.finish()
    (joined,) = _planned(script)
    assert (joined.char_start, joined.char_end) == (0, len(text))
    assert _words(joined) == [word for sentence in alone for word in _words(sentence)]


def _words(sentence: PlannedSentence) -> list[str]:
    return re.findall(r"\w+", sentence.pieces[0].spoken.text)


def test_live_text_gives_a_sentence_as_soon_as_it_is_certain_and_keeps_the_rest() -> None:
    script = _script()
    script.feed("Hello there. And")
    assert [sentence.text for sentence in _planned(script)] == ["Hello there."]
    script.feed(" more")
    assert not script.has_sentence
    script.finish()
    assert [sentence.text for sentence in _planned(script)] == ["And more"]


def test_a_moment_without_text_releases_a_sentence_that_is_complete() -> None:
    script = _script()
    script.feed("The answer is ready now.")
    assert not script.has_sentence
    script.idle()
    assert [sentence.text for sentence in _planned(script)] == ["The answer is ready now."]


def test_the_voices_refusal_is_passed_on() -> None:
    script = Script(ToneVoice(), VoiceOptions(speed=9.0), IncrementalSentenceChunker("en-us"))
    script.feed("Hello.")
    script.finish()
    with pytest.raises(RequestRefused):
        script.next_sentence()


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("This is [Kokoro](/kˈOkəɹO/).", "ðˌɪs ɪz kˈOkəɹO."),
        ("[東京](/tˈOkjO/) is big.", "tˈOkjO ɪz bˈɪɡ."),
    ],
)
def test_given_phonemes_reach_the_tokens_of_the_real_voice(text: str, phonemes: str) -> None:
    voice = KokoroVoice(VoiceSettings(), AssetSettings.load())
    script = Script(voice, VoiceOptions(), IncrementalSentenceChunker("en-us"))
    script.feed(text)
    script.finish()
    (sentence,) = _planned(script)
    (piece,) = (planned.piece for planned in sentence.pieces)
    assert piece.phonemes == phonemes
    assert piece.tokens == tuple(VOCABULARY[symbol] for symbol in phonemes)
