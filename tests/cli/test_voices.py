"""`firstword voices`: what there is, and what is missing to speak it."""

import json
import sys

import pytest

from firstword.cli.voices import voices


def test_a_voice_whose_language_is_not_installed_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyopenjtalk", None)
    voices(as_json=True)
    listed = {voice["name"]: voice for voice in json.loads(capsys.readouterr().out)}
    assert len(listed) == 54
    assert listed["jf_alpha"]["missing_extra"] == "firstword[ja]"
    assert listed["zf_xiaoxiao"]["missing_extra"] is None


def test_the_table_shows_the_line_that_installs_a_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    monkeypatch.setenv("COLUMNS", "120")
    voices(language="zh")
    assert "pip install 'firstword[zh]'" in capsys.readouterr().out
