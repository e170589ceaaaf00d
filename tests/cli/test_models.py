"""`firstword models` and `firstword voices`: JSON alone on stdout, exit codes, one line on what to do."""

import json
from pathlib import Path

import pytest

from fakes.asset_set import write_set
from firstword.cli.main import run
from firstword.kokoro.assets.manifest import MODEL


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["firstword", *arguments])
    with pytest.raises(SystemExit) as ended:
        run()
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_whole_set_verifies_and_a_corrupt_one_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = f"dir:{write_set(tmp_path)}"
    assert call(monkeypatch, "models", "verify", "--source", source, "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["directory"] == str(tmp_path)
    assert {item["state"] for item in listed["files"]} == {"ok"}
    (tmp_path / MODEL).write_bytes(b"?")
    assert call(monkeypatch, "models", "verify", "--source", source, "--json") == 1
    output = capsys.readouterr()
    assert [item["name"] for item in json.loads(output.out)["files"] if item["state"] == "corrupt"] == [MODEL]
    assert MODEL in output.err
    assert "firstword models pull" in output.err


def test_pull_says_where_and_how_much(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "models", "pull", "--source", f"dir:{write_set(tmp_path)}", "--json") == 0
    assert json.loads(capsys.readouterr().out)["directory"] == str(tmp_path)


def test_path_and_a_source_that_is_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "models", "path", "--source", "dir:/somewhere") == 0
    assert capsys.readouterr().out == "/somewhere\n"
    assert call(monkeypatch, "models", "pull", "--source", "ftp://x") == 2
    assert "FIRSTWORD_ASSETS_SOURCE" in capsys.readouterr().err


def test_voices_are_listed_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "voices", "--language", "en-gb", "--json") == 0
    voices = json.loads(capsys.readouterr().out)
    assert len(voices) == 8
    emma = next(voice for voice in voices if voice["name"] == "bf_emma")
    assert (emma["language"], emma["gender"], emma["grade"]) == ("en-gb", "female", "B-")
