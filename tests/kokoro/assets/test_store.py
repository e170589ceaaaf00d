"""The asset cache: whole or fetched again, one atomic rename a file, errors a person can act on."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.asset_set import CONTENTS, SetSource, write_set
from firstword.config import AssetSettings
from firstword.errors import AssetCorrupt, AssetError, AssetMissing, AssetSourceError, ConfigError
from firstword.kokoro.assets import AssetStore, open_store
from firstword.kokoro.assets.manifest import MANIFEST, MODEL, Manifest


def store_of(source: SetSource, base: Path) -> AssetStore:
    return AssetStore(source, base, lock_timeout_s=5)


def test_what_is_missing_is_fetched_once_and_then_used_as_it_is(tmp_path: Path) -> None:
    source = SetSource()
    directory = store_of(source, tmp_path).ensure()
    assert {name: (directory / name).read_bytes() for name in CONTENTS} == CONTENTS
    assert sorted(source.fetched) == sorted(CONTENTS)
    store_of(source, tmp_path).ensure()
    assert len(source.fetched) == len(CONTENTS)


@pytest.mark.parametrize("damage", ["truncated", "one byte", "gone"])
def test_a_damaged_file_is_named_and_alone_is_fetched_again(tmp_path: Path, damage: str) -> None:
    store = store_of(SetSource(), tmp_path)
    path = store.ensure() / MODEL
    match damage:
        case "truncated":
            path.write_bytes(CONTENTS[MODEL][:-1])
        case "one byte":
            path.write_bytes(b"X" + CONTENTS[MODEL][1:])
        case _:
            path.unlink()
    broken = [state for state in store.verify() if state.state != "ok"]
    assert [(state.name, state.state) for state in broken] == [(MODEL, "missing" if damage == "gone" else "corrupt")]
    source = SetSource()
    store_of(source, tmp_path).ensure()
    assert source.fetched == [MODEL]
    assert path.read_bytes() == CONTENTS[MODEL]


def test_a_file_that_arrives_wrong_is_refused_and_nothing_is_left_behind(tmp_path: Path) -> None:
    store = store_of(SetSource(spoil=b"!"), tmp_path)
    with pytest.raises(AssetCorrupt, match=r"model\.onnx|voices/"):
        store.ensure()
    assert [path for path in store.directory.rglob("*") if path.is_file() and path.name != ".lock"] == []


def test_a_broken_manifest_in_the_cache_is_written_anew(tmp_path: Path) -> None:
    source = SetSource()
    directory = store_of(source, tmp_path).ensure()
    (directory / MANIFEST).write_bytes(b"{half")
    store_of(source, tmp_path).ensure()
    assert Manifest.decode((directory / MANIFEST).read_bytes(), "it") == source.manifest()


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "no space left"), (errno.EROFS, "cannot be written"), (errno.EIO, "cannot be")]
)
def test_an_error_of_the_disk_is_one_line_with_what_to_do(tmp_path: Path, number: int, words: str) -> None:
    store = store_of(SetSource(error=OSError(number, os.strerror(number))), tmp_path)
    with pytest.raises(AssetError, match=words) as caught:
        store.ensure()
    assert "FIRSTWORD_ASSETS_CACHE_DIR" in caught.value.one_line()


def test_two_processes_at_once_end_with_one_whole_set(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from fakes.asset_set import SetSource\n"
        "from firstword.kokoro.assets import AssetStore\n"
        "source = SetSource(); AssetStore(source, Path(sys.argv[1]), lock_timeout_s=30).ensure()\n"
        "print(len(source.fetched))"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=environ, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=60)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert sorted(int(output) for output in outputs) == [0, len(CONTENTS)]


def test_a_lock_that_is_not_given_up_ends_the_wait_with_a_hint(tmp_path: Path) -> None:
    held = AssetStore(SetSource(), tmp_path, lock_timeout_s=5)
    held.directory.mkdir(parents=True)
    with held._locked(), pytest.raises(AssetError, match="Another process"):
        AssetStore(SetSource(), tmp_path, lock_timeout_s=0.05).ensure()


def test_a_directory_is_used_in_place_and_never_written_to(tmp_path: Path) -> None:
    write_set(tmp_path / "set")
    before = sorted((tmp_path / "set").rglob("*"))
    settings = AssetSettings(source=f"dir:{tmp_path / 'set'}", cache_dir=str(tmp_path / "cache"))
    assert open_store(settings).ensure() == tmp_path / "set"
    assert sorted((tmp_path / "set").rglob("*")) == before


def test_a_directory_that_lacks_something_says_what(tmp_path: Path) -> None:
    settings = AssetSettings(source=f"dir:{tmp_path}", cache_dir=str(tmp_path / "cache"))
    with pytest.raises(AssetMissing, match=MANIFEST):
        open_store(settings).ensure()
    (write_set(tmp_path) / MODEL).unlink()
    with pytest.raises(AssetSourceError, match=MODEL):
        open_store(settings).ensure()


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "voices/../../evil", "a\\b"])
def test_a_manifest_that_names_a_file_outside_its_set_is_refused(name: str) -> None:
    data = SetSource().manifest().encode().replace(b'"model.onnx"', b'"' + name.replace("\\", "\\\\").encode() + b'"')
    with pytest.raises(AssetCorrupt):
        Manifest.decode(data, "it")


@pytest.mark.parametrize("source", ["", "ftp://x", "dir:", "s3://", "packages:x", "hub:x"])
def test_a_source_that_is_none_is_wrong_use(source: str) -> None:
    with pytest.raises(ConfigError, match="no asset source"):
        open_store(AssetSettings(source=source))
