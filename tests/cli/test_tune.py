"""`firstword doctor --tune`, end to end: it measures the real voice by every backend that is installed and keeps what
it chose; the next start runs on that, and on defaults once anything it depends on has changed.
"""

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.assets import Manifest, open_store
from firstword.kokoro.assets.manifest import MODEL
from firstword.kokoro.tuning import FILE, Choice, candidates, choose, key_of

pytestmark = [pytest.mark.model, pytest.mark.slow, pytest.mark.timeout(900)]
_KEPT: Final = ("backend", "threads", "spinning", "windows")


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """What `doctor --tune --json` said, the file it left in its cache, and what this machine's voice is made of."""

    said: dict[str, Any]
    file: dict[str, Any]
    manifest: Manifest


@pytest.fixture(scope="module")
def tuned(real_assets: Path, tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    home = _home(tmp_path_factory.mktemp("cache"))
    said = _doctor(real_assets, home, "--tune", "--trials", "1")["results"]
    manifest = open_store(AssetSettings(source=f"dir:{real_assets}")).manifest()
    return Tuned(said=said, file=json.loads((home / FILE).read_text()), manifest=manifest)


def _home(cache: Path) -> Path:
    """A cache directory of our own, but for the graphs, which take a minute to make."""
    graphs = open_store(AssetSettings.load()).base / "graphs"
    graphs.mkdir(parents=True, exist_ok=True)
    (cache / "graphs").symlink_to(graphs)
    return cache


def _doctor(assets: Path, home: Path, *arguments: str) -> dict[str, Any]:
    """A process of its own, in which no setting of whoever runs this test counts. Raises where it does not end well."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("FIRSTWORD_")}
    settings = {"FIRSTWORD_ASSETS_SOURCE": f"dir:{assets}", "FIRSTWORD_ASSETS_CACHE_DIR": str(home)}
    command = [sys.executable, "-m", "firstword.cli", "doctor", "--json", *arguments]
    ended = subprocess.run(command, env=plain | settings, capture_output=True, text=True, timeout=800, check=False)
    assert ended.returncode == 0, ended.stderr
    said: dict[str, Any] = json.loads(ended.stdout)
    return said


def _runs_on(assets: Path, home: Path) -> str:
    """What `firstword doctor` says the voice runs on, when it has spoken."""
    checks = {check["name"]: check for check in _doctor(assets, home)["checks"]}
    return str(checks["voice"]["detail"]).rpartition("; ")[2]


def test_all_that_is_installed_is_measured_and_one_of_it_chosen(tuned: Tuned) -> None:
    measured = tuned.said["candidates"]
    streamed = [one for one in measured if one["decode"] == "streamed"]
    assert [one["choice"] for one in streamed] == [asdict(choice) for choice in candidates(tuned.manifest.precision)]
    assert [one["decode"] for one in measured].count("full") == 1
    assert tuned.said["absent"] == []
    for one in measured:
        assert one["first_audio_ms"]["n"] == one["real_time_factor"]["n"] == 2
        assert min(one["first_audio_ms"]["samples"] + one["real_time_factor"]["samples"]) > 0
    scores = [one["first_audio_ms"]["median"] * one["real_time_factor"]["median"] for one in streamed]
    chosen = [one["choice"] | {"origin": "tuned"} for one in streamed].index(tuned.said["chosen"])
    assert scores[chosen] <= scores[0]


def test_the_choice_is_kept_for_this_machine_and_the_next_start_runs_on_it(
    tuned: Tuned, real_assets: Path, tmp_path: Path
) -> None:
    assert tuned.said["kept"]
    assert tuned.file["choice"] == {name: tuned.said["chosen"][name] for name in _KEPT}
    assert tuned.file["key"] == key_of(tuned.manifest.files[MODEL].sha256)
    unlike_any_default = Choice(**tuned.said["chosen"] | {"threads": 3})
    kept = {name: value for name, value in asdict(unlike_any_default).items() if name in _KEPT}
    (_home(tmp_path) / FILE).write_text(json.dumps(tuned.file | {"choice": kept}))
    assert _runs_on(real_assets, tmp_path) == str(unlike_any_default)


def test_on_another_processor_the_next_start_runs_on_the_default(
    tuned: Tuned, real_assets: Path, tmp_path: Path
) -> None:
    key = tuned.file["key"] | {"processor": "another"}
    (_home(tmp_path) / FILE).write_text(json.dumps(tuned.file | {"key": key}))
    assert _runs_on(real_assets, tmp_path) == str(candidates(tuned.manifest.precision)[0])


@pytest.mark.parametrize(
    ("changed", "other"),
    [
        ("processor", "another"),
        ("cores", 96),
        ("packages", {"onnxruntime": "0.1"}),
        ("graphs", 0),
        ("model", "ab" * 32),
    ],
)
def test_what_was_tuned_counts_until_anything_it_depends_on_is_another(
    tuned: Tuned, tmp_path: Path, changed: str, other: object
) -> None:
    def chosen() -> Choice:
        manifest = tuned.manifest
        return choose(VoiceSettings(), tmp_path, manifest.files[MODEL].sha256, manifest.precision)

    (tmp_path / FILE).write_text(json.dumps(tuned.file))
    assert chosen() == Choice(**tuned.said["chosen"])
    (tmp_path / FILE).write_text(json.dumps(tuned.file | {"key": tuned.file["key"] | {changed: other}}))
    assert chosen() == candidates(tuned.manifest.precision)[0]
