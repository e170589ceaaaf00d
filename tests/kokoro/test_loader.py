"""Choosing an engine: what the settings name is what is loaded, and what they cannot mean is said at once."""

from pathlib import Path

import pytest

from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import ConfigError
from firstword.kokoro.backends import auto_backend, best_backend, has_bfloat16, has_vnni, open_backend
from firstword.kokoro.loader import load_synthesizer
from firstword.kokoro.tone import ToneVoice


def test_the_test_voice_is_loaded_by_its_name() -> None:
    assert isinstance(load_synthesizer(VoiceSettings(engine="tone"), AssetSettings()), ToneVoice)


@pytest.mark.parametrize(
    "settings",
    [
        VoiceSettings(engine="siri"),
        VoiceSettings(engine="tone", max_piece_tokens=0),
        VoiceSettings(engine="tone", max_piece_tokens=511),
        VoiceSettings(engine="kokoro", decode="fast"),
        VoiceSettings(engine="kokoro", spinning="maybe"),
        VoiceSettings(engine="kokoro", windows="int4"),
    ],
)
def test_a_setting_that_means_nothing_is_wrong_use_with_what_to_set(settings: VoiceSettings) -> None:
    with pytest.raises(ConfigError) as caught:
        load_synthesizer(settings, AssetSettings())
    assert "FIRSTWORD_VOICE_" in caught.value.hint


@pytest.mark.parametrize("name", ["cuda", "abacus"])
def test_a_backend_that_is_not_here_is_wrong_use_with_what_to_install_or_set(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_backend(name, threads=1)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("precision", "here", "wanted"),
    [
        ("int8", {}, "onnxruntime"),
        ("int8", {"openvino"}, "onnxruntime"),
        ("int8", {"bfloat16"}, "onnxruntime"),
        ("int8", {"openvino", "bfloat16"}, "openvino"),
        ("int8", {"openvino", "bfloat16", "cuda"}, "openvino"),
        ("fp32", {"openvino", "bfloat16", "cuda"}, "cuda"),
    ],
)
def test_auto_takes_the_best_of_what_there_is(precision: str, here: set[str], wanted: str) -> None:
    has = {name: name in here for name in ("cuda", "openvino", "bfloat16")}
    assert best_backend(precision, **has) == wanted


def test_bfloat16_is_what_the_processor_says(tmp_path: Path) -> None:
    told = tmp_path / "cpuinfo"
    told.write_text("flags\t\t: fpu avx512f avx512_bf16 vnni\n\nprocessor: 1\n")
    assert has_bfloat16(told)
    told.write_text("flags\t\t: fpu avx2\n")
    assert not has_bfloat16(told)
    assert not has_bfloat16(tmp_path / "none")


@pytest.mark.parametrize(("flags", "has"), [("avx512_vnni avx2", True), ("avx_vnni", True), ("avx2 avx512f", False)])
def test_vnni_is_what_the_processor_says(tmp_path: Path, flags: str, has: bool) -> None:
    told = tmp_path / "cpuinfo"
    told.write_text(f"flags\t\t: fpu {flags}\n\nprocessor: 1\n")
    assert has_vnni(told) is has
    assert not has_vnni(tmp_path / "none")


def test_products_are_for_int8_weights_where_they_are_exact() -> None:
    assert open_backend("onnxruntime", threads=1, precision="int8").products is has_vnni()
    assert not open_backend("onnxruntime", threads=1, precision="fp32").products


def test_auto_is_one_of_what_there_is() -> None:
    assert open_backend("auto", threads=1).name == auto_backend("fp32")
