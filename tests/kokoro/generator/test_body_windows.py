"""The body in windows against the body whole, by graphs of our own on the real weights: a trial, nothing that speaks.

With the utterance's own statistics and enough context nothing may differ; with less context or a wrong norm, much.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL
from firstword.kokoro.generator.fit.body.fitting import INPUT_WEIGHTS, Settings, error, fit, input_features
from firstword.kokoro.generator.fit.body.graph import BODY_NORMS, BodyWeights
from firstword.kokoro.generator.fit.body.means import known_channels
from firstword.kokoro.generator.fit.body.spoken import Body, Spoken, collect_body, load_body, save_body, speak
from firstword.kokoro.generator.fit.corpus import Utterance
from firstword.kokoro.generator.predictor import Statistics
from firstword.kokoro.inference import Inference
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions

pytestmark = pytest.mark.model

type Floats = NDArray[np.float32]


@pytest.fixture(scope="module")
def spoken() -> Spoken:
    voice = KokoroVoice(VoiceSettings(decode="streamed", backend="onnxruntime"), AssetSettings.load())
    return speak(voice, Utterance(text="A small boat drifted past.", options=VoiceOptions()))


@pytest.fixture(scope="module")
def body(tmp_path_factory: pytest.TempPathFactory) -> Body:
    model = open_store(AssetSettings.load()).ensure() / MODEL
    return Body(BodyWeights(model), tmp_path_factory.mktemp("body"), partial(Inference, threads=2))


def in_windows(body: Body, spoken: Spoken, statistics: Statistics, context: int = 10) -> Floats:
    affine, steps = body.affine(spoken.style, statistics), spoken.prosody.steps
    parts = [body.window(spoken.prosody, affine, (at, min(at + 25, steps)), context) for at in range(0, steps, 25)]
    return np.concatenate(parts, axis=2)


def distance_db(wanted: Floats, got: Floats) -> float:
    """Signal to noise, in dB, of `got` as a copy of `wanted`."""
    return 10 * float(np.log10(np.sum(np.square(wanted)) / (np.sum(np.square(wanted - got)) + 1e-20)))


def test_windows_with_the_utterances_own_statistics_are_the_whole_body(body: Body, spoken: Spoken) -> None:
    whole, statistics = body.measure(spoken.prosody, spoken.style)
    assert whole.shape == (1, 512, spoken.prosody.steps)
    assert distance_db(whole, in_windows(body, spoken, statistics)) > 100
    assert 25 < distance_db(whole, in_windows(body, spoken, statistics, context=8)) < 60


def test_a_wrong_norm_makes_windows_differ(body: Body, spoken: Spoken) -> None:
    whole, statistics = body.measure(spoken.prosody, spoken.style)
    variances = statistics.variances.copy()
    variances[BODY_NORMS[3].here] *= 1.2
    assert distance_db(whole, in_windows(body, spoken, replace(statistics, variances=variances))) < 40


def test_our_whole_body_is_the_models_own_but_for_its_int8(body: Body, spoken: Spoken) -> None:
    voice = KokoroVoice(VoiceSettings(decode="streamed", backend="onnxruntime"), AssetSettings.load())
    (piece,) = voice.plan("A small boat drifted past.", VoiceOptions())
    model, style = voice.parts(piece)
    own = model.body(spoken.prosody, style, CancelToken()).hidden
    assert distance_db(body.measure(spoken.prosody, style)[0], own) > 20


def test_style_and_input_tell_most_of_the_norms_means(body: Body, spoken: Spoken) -> None:
    _, statistics = body.measure(spoken.prosody, spoken.style)
    told = body.inner_means(spoken.style, statistics.means)
    assert np.array_equal(told[known_channels()], statistics.means[known_channels()])
    deep = slice(BODY_NORMS[4].offset, None)
    deviations = np.sqrt(statistics.variances)
    wrong = np.square((told - statistics.means) / deviations)[deep].mean()
    assert wrong < 0.2 * np.square(statistics.means / deviations)[deep].mean()


def test_an_example_survives_its_file_and_is_foretold_by_a_fit_to_it(
    body: Body, spoken: Spoken, tmp_path: Path
) -> None:
    example, _, _ = collect_body(body, spoken)
    save_body(example, tmp_path / "00000.npz")
    again = load_body(tmp_path / "00000.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["00000.npz"]
    assert np.allclose(input_features(again), input_features(example), atol=0.02)
    rows = np.stack([input_features(again), 0.5 * input_features(again)])
    true = Statistics(
        means=np.stack([again.body.means, again.body.means + 1]),
        variances=np.stack([again.body.variances, 2 * again.body.variances]),
    )
    known = np.zeros_like(true.means)
    fitted = fit(rows, known, true, INPUT_WEIGHTS, Settings(ridge=1e-6))
    assert (
        error(fitted.foretell(rows[0], known[0]), again.body)
        < 1e-3
        < error(fitted.foretell(rows[1], known[1]), again.body)
    )
