"""Kokoro with its real weights: the reference lengths, cancel inside inference, failure, very short texts."""

from pathlib import Path

import numpy as np
import pytest

from fakes.running import CancelsInside, Diary, one_window
from firstword.audio import duration_s, pcm_to_float
from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import AssetCorrupt, AssetError
from firstword.kokoro.graphs import cut
from firstword.kokoro.inference import Inference
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import Cancelled, CancelToken, VoiceOptions

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def voice() -> KokoroVoice:
    return KokoroVoice(VoiceSettings(), AssetSettings.load())


def say(voice: KokoroVoice, text: str, options: VoiceOptions) -> bytes:
    return b"".join(
        pcm for piece in voice.plan(text, options) for pcm in iter(voice.begin(piece, CancelToken()).step, None)
    )


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("Hello there.", 1.525), ("This is a post deployment check.", 2.250), ("It has three sentences.", 2.050)],
)
def test_the_reference_sentences_last_as_long_as_the_reference_says(
    voice: KokoroVoice, text: str, seconds: float
) -> None:
    pcm = say(voice, text, VoiceOptions(trim=False))
    assert duration_s(len(pcm)) == pytest.approx(seconds, abs=0.06)


@pytest.mark.parametrize("decode", ["full", "auto"])
def test_a_cancel_ends_inference_that_is_running(monkeypatch: pytest.MonkeyPatch, decode: str) -> None:
    diary = Diary()
    monkeypatch.setattr("firstword.kokoro.synthesis.open_backend", diary.open_backend)
    monkeypatch.setattr("firstword.kokoro.generator.windowed.windows", one_window)
    voice = KokoroVoice(VoiceSettings(decode=decode), AssetSettings.load())
    (piece,) = voice.plan("The river ran on and on past the mill and the old stone bridge. " * 4, VoiceOptions())
    decoding = voice.begin(piece, CancelsInside(3))  # after front and body
    with pytest.raises(Cancelled):
        decoding.step()
    assert diary.ended[:2] == [("front", "whole"), ("body", "whole")]
    ends = [end for _, end in diary.ended[2:]]
    assert "cut" in ends
    assert "whole" not in ends


def test_a_warm_voice_has_decoded_both_whole_and_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    diary = Diary()
    monkeypatch.setattr("firstword.kokoro.synthesis.open_backend", diary.open_backend)
    KokoroVoice(VoiceSettings(decode="auto"), AssetSettings.load()).warm()
    runs = [name for name, _ in diary.ended]
    assert runs[:3] == ["front", "body", "whole"]
    assert runs[3:5] == ["front", "body"]
    assert len(runs) > 5
    assert "whole" not in runs[5:]


@pytest.mark.parametrize("text", ["OK.", "No!", "Yes", "Hi."])
def test_a_very_short_text_ends_in_silence_and_not_in_noise(voice: KokoroVoice, text: str) -> None:
    samples = pcm_to_float(say(voice, text, VoiceOptions()))
    assert 0.2 < len(samples) / 24_000 < 1.0
    assert np.abs(samples[-240:]).max() < 0.01
    assert np.sqrt(np.mean(samples**2)) > 0.02


def test_a_long_text_is_spoken_whole_in_pieces(voice: KokoroVoice) -> None:
    text = "she counted the boats as they came in one after another " * 12
    pieces = voice.plan(text, VoiceOptions(speed=2.0))
    assert len(pieces) > 2
    words = [word for piece in pieces for word in voice.begin(piece, CancelToken()).words]
    assert [word.text for word in words] == text.split()
    assert all(word.end_s > word.start_s for word in words)


def test_a_model_that_is_damaged_or_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(AssetError, match=r"model\.onnx"):
        cut(tmp_path / "model.onnx", tmp_path)
    with pytest.raises(AssetCorrupt, match=r"model\.onnx"):
        Inference(tmp_path / "model.onnx", threads=1)
