"""Regressions against a stored baseline; and what a listener gets of the real voice holds the band on a few texts."""

from dataclasses import replace
from pathlib import Path

import pytest

from firstword.bench import report
from firstword.bench.joins import Fault
from firstword.bench.quality import Quality, Utterance, corpus_texts, load_baseline, regressions, run
from firstword.bench.scenario import result
from firstword.errors import UsageError


def _quality(*utterances: Utterance) -> Quality:
    return Quality(
        voice="af_heart", word_error_rate=0.0, dnsmos=0.0, dnsmos_p808=0.0, loudness_dbfs=0.0, silence_before_s=0.0,
        silence_after_s=0.0, audio_s=0.0, joins=0, faults=0, reference_s={}, reference_off={}, utterances=utterances,
    )  # fmt: skip


def _utterance(text: str) -> Utterance:
    return Utterance(
        text=text, heard=text, word_error_rate=0.02, dnsmos=3.2, dnsmos_p808=3.7, loudness_dbfs=-20.0,
        silence_before_s=0.02, silence_after_s=0.05, audio_s=2.0, joins=3, faults=(),
    )  # fmt: skip


BEFORE = _quality(*(_utterance(f"Text {number}.") for number in range(12)), replace(_utterance("Two."), dnsmos=1.0))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, None),
        ({"dnsmos": 3.9, "word_error_rate": 0.0, "loudness_dbfs": -20.4, "audio_s": 2.05}, None),
        ({"dnsmos": 3.1}, "dnsmos is"),
        ({"dnsmos_p808": 3.6}, "dnsmos_p808 is"),
        ({"word_error_rate": 0.05}, "word_error_rate is"),
        ({"loudness_dbfs": -19.0}, "loudness_dbfs is"),
        ({"loudness_dbfs": -21.0}, "loudness_dbfs is"),
        ({"faults": (Fault(kind="click", at_s=1.0),)}, "faults is"),
        ({"audio_s": 2.1}, "the audio is"),
        ({"silence_after_s": 0.3}, "silence_after_s is"),
    ],
)
def test_what_is_worse_by_more_than_its_band_is_told_and_only_texts_of_both_count(
    change: dict[str, object], told: str | None
) -> None:
    now = [replace(_utterance(f"Text {number}."), **change) for number in range(12)]  # type: ignore[arg-type]
    worse = regressions(_quality(*now), BEFORE)
    assert [line[: len(told)] for line in worse] == [told] if told else worse == []


def test_of_a_few_texts_more_is_allowed() -> None:
    assert regressions(_quality(replace(_utterance("Text 1."), dnsmos=3.1)), BEFORE) == []
    assert regressions(_quality(replace(_utterance("Text 1."), dnsmos=3.0)), BEFORE)


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(UsageError, match="none of these texts"):
        regressions(_quality(_utterance("Three.")), BEFORE)
    with pytest.raises(UsageError, match="The baseline is of"):
        regressions(replace(BEFORE, voice="af_bella"), BEFORE)


def test_a_result_is_read_back_as_the_baseline_it_is_and_anything_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "quality.json"
    report.write_json(result("quality", {}, BEFORE), path)
    assert load_baseline(path) == BEFORE
    path.write_text('{"results": {"word_error_rate": 0.1}}')
    with pytest.raises(UsageError, match="holds no result"):
        load_baseline(path)
    with pytest.raises(UsageError, match="holds no result"):
        load_baseline(tmp_path / "missing.json")


@pytest.mark.model
@pytest.mark.usefixtures("real_assets")
def test_the_voice_is_no_worse_than_its_baseline_on_a_few_texts() -> None:
    baseline = Path(__file__).parents[2] / "docs/benchmarks/quality-baseline.json"
    assert regressions(run(lambda _: None, texts=corpus_texts(short=True)), load_baseline(baseline)) == []
