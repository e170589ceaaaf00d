"""Files made once: kept, made again if damaged, made elsewhere if they cannot be kept."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firstword.errors import AssetError
from firstword.kokoro.made import made_once

_NAMES = ("one.bin", "two.bin")


def maker(calls: list[Path]) -> Callable[[Path], None]:
    def make(into: Path) -> None:
        calls.append(into)
        for name in _NAMES:
            (into / name).write_text(name)

    return make


def test_files_are_made_once_and_again_only_if_one_was_damaged(tmp_path: Path) -> None:
    calls: list[Path] = []
    for _ in range(2):
        with made_once(tmp_path / "a" / "kept", _NAMES, maker(calls)) as paths:
            assert {name: path.read_text() for name, path in paths.items()} == {"one": "one.bin", "two": "two.bin"}
    assert len(calls) == 1
    (tmp_path / "a" / "kept" / "two.bin").write_text("half")
    with made_once(tmp_path / "a" / "kept", _NAMES, maker(calls)) as paths:
        assert paths["two"].read_text() == "two.bin"
    assert len(calls) == 2
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["kept"]


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with made_once(tmp_path / "file" / "kept", _NAMES, maker([])) as paths:
        assert all(path.is_file() for path in paths.values())
    assert not any(path.exists() for path in paths.values())


def test_one_that_another_process_put_there_meanwhile_is_taken(tmp_path: Path) -> None:
    def make(into: Path) -> None:
        maker([])(into)
        with made_once(tmp_path / "kept", _NAMES, maker([])):
            pass

    with made_once(tmp_path / "kept", _NAMES, make) as paths:
        assert paths["one"].parent == tmp_path / "kept"


def test_no_space_is_an_error_with_what_to_do(tmp_path: Path) -> None:
    def make(into: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(AssetError, match="No space") as caught, made_once(tmp_path / "kept", _NAMES, make):
        pass
    assert "FIRSTWORD_ASSETS_CACHE_DIR" in caught.value.hint
    assert list(tmp_path.iterdir()) == []
