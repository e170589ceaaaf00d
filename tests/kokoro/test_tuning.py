"""What was tuned: kept for one machine and one model, overridden by what a setting names, never in the way."""

import json
from pathlib import Path

import pytest

from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import ConfigError
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL
from firstword.kokoro.backends import auto_backend
from firstword.kokoro.inference import thread_count
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.tuning import FILE, Choice, candidates, choose, chosen, keep, key_of

_MODEL = "ab" * 32
_TUNED = Choice(backend="onnxruntime", threads=3, spinning=True, origin="tuned")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache in which a choice was kept for this machine."""
    assert keep(tmp_path / "cache", key_of(_MODEL), _TUNED)
    return tmp_path / "cache"


def test_what_was_tuned_here_for_this_model_is_what_is_used(cache: Path) -> None:
    assert choose(VoiceSettings(), cache, _MODEL, "int8") == _TUNED
    assert [path.name for path in cache.iterdir()] == [FILE]


def test_without_it_there_are_defaults(tmp_path: Path) -> None:
    default = Choice(backend=auto_backend("int8"), threads=thread_count(0), spinning=False, origin="default")
    assert choose(VoiceSettings(), tmp_path, _MODEL, "int8") == default
    assert candidates("int8")[0] == default


@pytest.mark.parametrize("changed", ["processor", "cores", "packages", "graphs", "model"])
def test_it_does_not_count_once_anything_it_depends_on_changed(cache: Path, changed: str) -> None:
    kept = json.loads((cache / FILE).read_text())
    assert changed in kept["key"]
    kept["key"][changed] = "other"
    (cache / FILE).write_text(json.dumps(kept))
    assert choose(VoiceSettings(), cache, _MODEL, "int8").origin == "default"


def test_it_does_not_count_for_another_model(cache: Path) -> None:
    assert choose(VoiceSettings(), cache, "cd" * 32, "int8").origin == "default"


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        (VoiceSettings(threads=1), Choice(backend=auto_backend("int8"), threads=1, spinning=False, origin="settings")),
        (
            VoiceSettings(backend="openvino"),
            Choice(backend="openvino", threads=thread_count(0), spinning=False, origin="settings"),
        ),
        (VoiceSettings(spinning="off"), Choice(backend="onnxruntime", threads=3, spinning=False, origin="settings")),
        (
            VoiceSettings(threads=2, spinning="on"),
            Choice(backend=auto_backend("int8"), threads=2, spinning=True, origin="settings"),
        ),
        (
            VoiceSettings(windows="int8"),
            Choice(backend="onnxruntime", threads=3, spinning=True, windows="int8", origin="settings"),
        ),
        (
            VoiceSettings(tuned=False),
            Choice(backend=auto_backend("int8"), threads=thread_count(0), spinning=False, origin="default"),
        ),
    ],
)
def test_a_setting_wins_over_what_was_tuned(cache: Path, settings: VoiceSettings, wanted: Choice) -> None:
    assert choose(settings, cache, _MODEL, "int8") == wanted


@pytest.mark.parametrize(
    "choice",
    [
        {"backend": "onnxruntime", "threads": 0, "spinning": False},
        {"backend": "onnxruntime", "threads": 10**9, "spinning": False},
        {"backend": "onnxruntime", "threads": "2", "spinning": False},
        {"backend": "onnxruntime", "threads": True, "spinning": False},
        {"backend": 7, "threads": 2, "spinning": False},
        {"backend": "onnxruntime", "threads": 2, "spinning": False, "windows": "int4"},
        {"backend": "onnxruntime", "threads": 2, "spinning": "no"},
        {"backend": "onnxruntime"},
        [],
        None,
    ],
)
def test_a_choice_that_makes_no_sense_is_passed_over(cache: Path, choice: object) -> None:
    (cache / FILE).write_text(json.dumps({"key": key_of(_MODEL), "choice": choice}))
    assert choose(VoiceSettings(), cache, _MODEL, "int8").origin == "default"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b'{"key": 1}', b"null"])
def test_a_damaged_file_is_passed_over_and_replaced(cache: Path, data: bytes) -> None:
    (cache / FILE).write_bytes(data)
    assert choose(VoiceSettings(), cache, _MODEL, "int8").origin == "default"
    assert keep(cache, key_of(_MODEL), _TUNED)
    assert chosen(cache, key_of(_MODEL)) == _TUNED


def test_a_cache_that_cannot_be_written_or_read_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not keep(tmp_path / "file", key_of(_MODEL), _TUNED)
    assert choose(VoiceSettings(), tmp_path / "file", _MODEL, "int8").origin == "default"
    (tmp_path / FILE).mkdir()
    assert not keep(tmp_path, key_of(_MODEL), _TUNED)
    assert choose(VoiceSettings(), tmp_path, _MODEL, "int8").origin == "default"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", FILE]


def test_int8_windows_are_tuned_kept_and_compared_as_threads_are(tmp_path: Path) -> None:
    int8 = Choice(backend="onnxruntime", threads=2, spinning=False, windows="int8", origin="tuned")
    assert keep(tmp_path, key_of(_MODEL), int8)
    assert choose(VoiceSettings(), tmp_path, _MODEL, "int8") == int8
    assert choose(VoiceSettings(windows="float32"), tmp_path, _MODEL, "int8").windows == "float32"
    assert str(int8) == "onnxruntime, 2 threads, int8 windows (tuned)"
    assert [choice.windows for choice in candidates("int8")].count("int8") == 1


def test_what_was_kept_before_there_were_int8_windows_is_in_float32(cache: Path) -> None:
    kept = json.loads((cache / FILE).read_text())
    del kept["choice"]["windows"]
    (cache / FILE).write_text(json.dumps(kept))
    assert choose(VoiceSettings(), cache, _MODEL, "int8") == _TUNED


def test_int8_windows_on_cuda_are_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        choose(VoiceSettings(backend="cuda", windows="int8"), tmp_path, _MODEL, "fp32")
    assert "FIRSTWORD_VOICE_WINDOWS" in caught.value.hint


@pytest.mark.model
def test_the_voice_runs_as_it_was_tuned_and_says_so(tmp_path: Path, real_assets: Path) -> None:
    store = open_store(AssetSettings.load())
    (tmp_path / "graphs").symlink_to(store.base / "graphs")
    tuned = Choice(backend="onnxruntime", threads=1, spinning=False, origin="tuned")
    assert keep(tmp_path, key_of(store.manifest().files[MODEL].sha256), tuned)
    assets = AssetSettings(source=f"dir:{real_assets}", cache_dir=str(tmp_path))
    voice = KokoroVoice(VoiceSettings(decode="full"), assets)
    assert voice.runs_on() == tuned
    assert str(voice.runs_on()) == "onnxruntime, 1 thread (tuned)"
