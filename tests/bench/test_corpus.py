"""The measured texts are as long and as many as the reports say, and their transcripts compare."""

import re

import pytest

from firstword.bench import corpus


def test_the_corpus_has_the_sizes_that_reports_name() -> None:
    assert len(corpus.FOUR_SENTENCES) == 267
    assert [len(part()) for part in (corpus.sentences, corpus.paragraphs, corpus.clips, corpus.openers)] == [
        60,
        10,
        24,
        25,
    ]


@pytest.mark.parametrize("word_count", corpus.ANSWER_WORDS)
def test_an_answer_has_the_words_it_is_named_for(word_count: int) -> None:
    assert len(corpus.answer(word_count).split()) == word_count


def test_no_text_has_digits() -> None:
    everything = [*corpus.sentences(), *corpus.paragraphs(), *corpus.clips(), *corpus.openers(), corpus.FOUR_SENTENCES]
    everything += [corpus.answer(count) for count in corpus.ANSWER_WORDS]
    assert not re.search(r"\d", " ".join(everything))
