"""How the predictor is fitted and judged: the same sentences every time, none of them on both sides."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from firstword.kokoro.generator.fit import __main__ as fit
from firstword.kokoro.generator.fit.collect import Example, load, save
from firstword.kokoro.generator.fit.corpus import in_own_languages, short_ones, to_fit, to_judge
from firstword.kokoro.generator.fit.judge import compare, summary
from firstword.kokoro.generator.predictor import Statistics
from firstword.kokoro.source import Source
from firstword.kokoro.voices import VOICES


def test_the_corpus_is_the_same_every_time_and_covers_every_voice() -> None:
    chosen = list(islice(to_fit(), 70))
    assert chosen == list(islice(to_fit(), 70))
    assert {utterance.options.voice for utterance in chosen} >= set(VOICES)


def test_no_sentence_is_both_fitted_on_and_judged_by() -> None:
    judged = {utterance.text for utterance in to_judge(60)}
    assert judged.isdisjoint(utterance.text for utterance in to_fit())
    assert len({utterance.options.voice for utterance in to_judge(60)}) == 12
    assert len(judged) == 60
    assert {utterance.text for utterance in short_ones(12)} <= {utterance.text for utterance in to_judge(104)}


def test_voices_of_other_languages_are_judged_in_their_own_by_texts_that_are_not_fitted_on() -> None:
    judged = list(in_own_languages())
    assert {utterance.options.language for utterance in judged} == {"es", "fr", "hi", "it", "ja", "pt-br", "zh"}
    assert all(VOICES[utterance.options.voice].language == utterance.options.language for utterance in judged)
    assert {utterance.text for utterance in judged}.isdisjoint(utterance.text for utterance in to_fit())


def example() -> Example:
    random = np.random.default_rng(3)
    return Example(
        model_sha256="abc",
        source=Source(
            hidden=random.normal(size=(1, 512, 5)).astype(np.float32),
            harmonics=random.normal(size=(1, 22, 301)).astype(np.float32),
        ),
        style=np.ones((1, 256), np.float32),
        inner_means=np.arange(3, dtype=np.float32),
        statistics=Statistics(means=np.ones(3, np.float32), variances=np.full(3, 2, np.float32)),
    )


def test_an_example_survives_its_file(tmp_path: Path) -> None:
    save(example(), tmp_path / "00000.npz")
    again = load(tmp_path / "00000.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["00000.npz"]
    assert again.model_sha256 == "abc"
    assert np.allclose(again.source.hidden, example().source.hidden, atol=0.01)
    assert np.array_equal(again.inner_means, example().inner_means)
    assert np.array_equal(again.statistics.variances, example().statistics.variances)


def test_nothing_is_fitted_to_examples_of_another_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.onnx").write_bytes(b"another")
    monkeypatch.setattr(fit, "_model", lambda: tmp_path / "model.onnx")
    save(example(), tmp_path / "00000.npz")
    told = CliRunner().invoke(fit.app, ["solve", str(tmp_path), str(tmp_path / "out.npz")])
    assert told.exit_code == 2
    assert "another model" in told.output
    assert not (tmp_path / "out.npz").exists()


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
