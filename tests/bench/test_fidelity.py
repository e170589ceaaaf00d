"""What the fidelity scenario says of two recordings of the same utterance, and which utterances it speaks."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from firstword.bench import fidelity
from firstword.bench.report import to_json
from firstword.kokoro.generator.fit.corpus import to_fit
from firstword.kokoro.voices import VOICES

type Floats = NDArray[np.float32]


def sound(seconds: float = 1.0) -> Floats:
    """A sum of tones over the whole band, no silence."""
    time_s = np.arange(round(24_000 * seconds)) / 24_000
    tones = [np.sin(2 * np.pi * hz * time_s + hz) for hz in np.geomspace(110, 9_000, 40)]
    return (0.02 * np.sum(tones, axis=0)).astype(np.float32)


def keep(home: Path, group: str, index: int, whole: Floats, streamed: Floats, scores: tuple[float, ...] = ()) -> None:
    both = fidelity._Both(
        voice="af_heart",
        whole=whole,
        streamed=streamed,
        joins_s=np.array([0.5], dtype=np.float32),
        errors=np.array([0.25, 0.5], dtype=np.float32),
        misheard=np.array(scores, dtype=np.float32),
        opinions=np.array(scores, dtype=np.float32),
    )
    kept = home / fidelity.made_by("onnxruntime", "float32")
    kept.mkdir(exist_ok=True)
    fidelity._save(both, kept / f"{group}-{index:03d}.npz")


def measured(home: Path, streamed: Floats, scores: tuple[float, ...] = ()) -> fidelity.Group:
    """The group of blends, with every utterance kept already: nothing is spoken."""
    for index, _ in enumerate(fidelity._utterances("blends")):
        keep(home, "blends", index, sound(), streamed, scores)
    return fidelity.run(lambda _: None, ["blends"], keep=home).groups[0]


def test_a_perfect_copy_differs_in_nothing(tmp_path: Path) -> None:
    group = measured(tmp_path, sound())
    assert group.figures["distance_db_worst"] == 0.0
    assert group.timbre_db_most == group.level_db_together == 0.0
    assert (group.joins, group.faults, group.faults_of_whole) == (6, 0, 0)
    assert (group.mean_error, group.variance_error) == (0.25, 0.5)
    assert group.word_error_rate is None
    assert (group.heard_worse, group.heard_better) == (0, 0)


def test_a_click_at_a_window_edge_is_a_fault_of_the_streamed_alone(tmp_path: Path) -> None:
    clicked = sound()
    clicked[12_000:] *= -1
    clicked[12_000] += 0.5
    group = measured(tmp_path, clicked)
    assert group.faults == 6
    assert group.faults_of_whole == 0


def test_a_duller_sound_is_a_change_of_timbre(tmp_path: Path) -> None:
    dull = np.convolve(sound(), np.ones(4, np.float32) / 4, mode="same").astype(np.float32)
    group = measured(tmp_path, dull)
    assert group.timbre_db_most > 6
    assert group.timbre_db < group.timbre_db_most


def test_the_level_is_of_each_and_of_all_together(tmp_path: Path) -> None:
    group = measured(tmp_path, sound() * np.float32(0.5))
    assert group.figures["level_db_worst"] == pytest.approx(6.02, abs=0.01)
    assert group.level_db_together == pytest.approx(-6.02, abs=0.01)


@pytest.mark.parametrize(("streamed", "worse", "better"), [(0.5, 6, 0), (0.25, 0, 0), (0.125, 0, 6)])
def test_what_was_heard_is_averaged_and_counted_whole_and_streamed(
    tmp_path: Path, streamed: float, worse: int, better: int
) -> None:
    group = measured(tmp_path, sound(), scores=(0.25, streamed))
    assert group.word_error_rate == {"whole": 0.25, "streamed": streamed}
    assert (group.heard_worse, group.heard_better) == (worse, better)
    assert json.loads(to_json(group))["heard_worse"] == worse


def test_what_was_spoken_otherwise_is_not_taken_for_this(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = [("onnxruntime", "float32"), ("onnxruntime", "int8"), ("openvino", "float32")]
    names = {fidelity.made_by(*way) for way in ways}
    monkeypatch.setattr(fidelity, "SIZES", (20, 24))
    names.add(fidelity.made_by(*ways[0]))
    assert len(names) == 4
    assert fidelity.made_by(*ways[0]) in names


@pytest.mark.parametrize("group", fidelity.GROUPS)
def test_no_utterance_of_any_group_was_fitted_on(group: str) -> None:
    fitted = {utterance.text for utterance in to_fit()}
    judged = list(fidelity._utterances(group))
    assert len(judged) >= 6
    assert fitted.isdisjoint(utterance.text for utterance in judged)


def test_sixty_sentences_by_twelve_voices_and_one_by_each_voice_there_is() -> None:
    for group in ("sentences", "unseen"):
        sentences = list(fidelity._utterances(group))
        assert len({utterance.text for utterance in sentences}) == 60
        assert len({utterance.options.voice for utterance in sentences}) == 12
    assert {utterance.options.voice for utterance in fidelity._utterances("every voice")} == set(VOICES)
    spoken = {utterance.options.language for utterance in fidelity._utterances("languages")}
    assert spoken == {info.language for info in VOICES.values()} - {"en-us", "en-gb"}
