"""How the predictor is fitted and judged: the same sentences every time, none of them on both sides."""

from itertools import islice

import numpy as np
import pytest

from firstword.kokoro.generator.fit.corpus import to_fit, to_judge
from firstword.kokoro.generator.fit.judge import compare, summary
from firstword.kokoro.voices import VOICES


def test_the_corpus_is_the_same_every_time_and_covers_every_voice() -> None:
    chosen = list(islice(to_fit(), 70))
    assert chosen == list(islice(to_fit(), 70))
    assert {utterance.options.voice for utterance in chosen} >= set(VOICES)


def test_no_sentence_is_both_fitted_on_and_judged_by() -> None:
    judged = {utterance.text for utterance in to_judge(60)}
    assert judged.isdisjoint(utterance.text for utterance in to_fit())
    assert len({utterance.options.voice for utterance in to_judge(60)}) == 12
    assert len(judged) > 30


def test_a_perfect_copy_is_no_distance_away_and_a_louder_one_is_louder() -> None:
    sound = (0.3 * np.sin(np.arange(24_000) / 20)).astype(np.float32)
    same = compare("v", sound, sound)
    assert same.distance_db == 0.0
    assert same.level_db == 0.0
    assert same.snr_db > 150
    louder = compare("v", sound, 2 * sound)
    assert louder.level_db == pytest.approx(6.02, abs=0.01)
    assert louder.snr_db == pytest.approx(0.0, abs=0.01)
    assert 1.0 < louder.distance_db < 6.1


def test_a_summary_names_the_median_and_the_worst() -> None:
    sound = (0.3 * np.sin(np.arange(24_000) / 20)).astype(np.float32)
    results = [compare("v", sound, np.float32(gain) * sound) for gain in (1.0, 1.1, 2.0)]
    figures = summary(results)
    assert figures["utterances"] == 3
    assert figures["level_db_worst"] == pytest.approx(6.02, abs=0.01)
    assert figures["snr_db_median"] == pytest.approx(20.0, abs=0.1)
