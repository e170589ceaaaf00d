"""Decoding in windows against decoding whole, on the real weights.

With the utterance's own statistics nothing may differ; with foretold ones, little. The figures for many sentences
and voices are in docs/benchmarks/predictor.md; here one sentence keeps the code honest.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.generator.fit.collect import Prepared
from firstword.kokoro.generator.fit.shares import shares
from firstword.kokoro.generator.layout import NORMS
from firstword.kokoro.generator.windowed import WindowedGenerator
from firstword.kokoro.source import SAMPLES_PER_STEP, Source
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions
from firstword.kokoro.timing import speech_range

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def spoken() -> tuple[WindowedGenerator, Source, NDArray[np.float32]]:
    voice = KokoroVoice(VoiceSettings(decode="streamed", backend="onnxruntime"), AssetSettings.load())
    (piece,) = voice.plan("A small boat drifted past.", VoiceOptions())
    model, style = voice.parts(piece)
    cancel = CancelToken()
    generator = model.generator
    assert isinstance(generator, WindowedGenerator)
    return generator, model.body(model.front(piece.tokens, style, 1.0, cancel), style, cancel), style


def distance_db(wanted: NDArray[np.float32], got: NDArray[np.float32]) -> float:
    """Signal to noise, in dB, of `got` as a copy of `wanted`."""
    noise = float(np.sum(np.square(wanted - got))) + 1e-20
    return 10 * float(np.log10(np.sum(np.square(wanted)) / noise))


def test_windows_with_the_utterances_own_statistics_are_the_whole(
    spoken: tuple[WindowedGenerator, Source, NDArray[np.float32]],
) -> None:
    generator, source, style = spoken
    cancel = CancelToken()
    whole, statistics = generator.measure(source, style, cancel)
    assert len(whole) == source.steps * SAMPLES_PER_STEP
    affine = generator.affine(style, statistics)
    parts = list(generator.pieces(source, affine, (0, source.steps), cancel))
    assert len(parts) > 3
    assert distance_db(whole, np.concatenate(parts)) > 90


def test_windows_with_foretold_statistics_are_close_to_the_whole(
    spoken: tuple[WindowedGenerator, Source, NDArray[np.float32]],
) -> None:
    generator, source, style = spoken
    cancel = CancelToken()
    whole = generator.whole(source, style, cancel)
    streamed = np.concatenate(list(generator.stretches(source, style, (0, source.steps), cancel)))
    assert streamed.shape == whole.shape
    assert distance_db(whole, streamed) > 8
    assert abs(10 * np.log10(np.mean(streamed**2) / np.mean(whole**2))) < 1.0


def test_the_error_is_more_that_of_the_last_block_than_that_of_the_harmonics(
    spoken: tuple[WindowedGenerator, Source, NDArray[np.float32]],
) -> None:
    generator, source, style = spoken
    utterance = Prepared(generator=generator, source=source, style=style, kept=(0, source.steps))
    norms = [norm for norm in NORMS if norm.name in ("resblocks.5.adain2.1", "noise_res.1.adain1.0")]
    told = shares([utterance], norms)
    assert set(told) == {"resblocks.5.adain2.1", "noise_res.1.adain1.0"}
    assert told["resblocks.5.adain2.1"]["snr_db"] > told["noise_res.1.adain1.0"]["snr_db"] + 0.1


def test_auto_decodes_whole_what_is_shorter_than_a_word(
    spoken: tuple[WindowedGenerator, Source, NDArray[np.float32]],
) -> None:
    _, source, style = spoken
    voice = KokoroVoice(VoiceSettings(decode="auto"), AssetSettings.load())
    generator = voice.parts(voice.plan("Yes.", VoiceOptions())[0])[0].generator
    assert isinstance(generator, WindowedGenerator)
    cancel = CancelToken()
    whole = generator.whole(source, style, cancel)
    (short,) = generator.stretches(source, style, (30, 61), cancel)
    assert np.array_equal(short, whole[30 * SAMPLES_PER_STEP : 61 * SAMPLES_PER_STEP])
    first = next(generator.stretches(source, style, (30, 62), cancel))
    assert len(first) < 32 * SAMPLES_PER_STEP


def test_auto_decodes_whole_what_is_short_and_spoken_to_its_last_step() -> None:
    """No silence follows: a window hears the last step over and over, and statistics are foretold worst."""
    voice = KokoroVoice(VoiceSettings(decode="auto", backend="onnxruntime"), AssetSettings.load())
    (piece,) = voice.plan("What?", VoiceOptions(voice="jf_alpha", speed=2.0, language="en-us"))
    model, style = voice.parts(piece)
    generator, cancel = model.generator, CancelToken()
    assert isinstance(generator, WindowedGenerator)
    prosody = model.front(piece.tokens, style, 2.0, cancel)
    first, last = speech_range(prosody)
    assert last == prosody.steps > first + 32
    source = model.body(prosody, style, cancel)
    whole = generator.whole(source, style, cancel)
    (said,) = generator.stretches(source, style, (first, last), cancel)
    assert np.array_equal(said, whole[first * SAMPLES_PER_STEP :])


def test_our_graph_speaks_as_the_models_own_does_but_for_its_rounding(
    spoken: tuple[WindowedGenerator, Source, NDArray[np.float32]], real_assets: Path
) -> None:
    generator, source, style = spoken
    own = KokoroVoice(VoiceSettings(decode="full"), AssetSettings.load())
    (piece,) = own.plan("A small boat drifted past.", VoiceOptions())
    model, _ = own.parts(piece)
    (samples,) = model.generator.stretches(source, style, (0, source.steps), CancelToken())
    assert distance_db(generator.whole(source, style, CancelToken()), samples) > 12
