"""What is written and what is said: `speakable_cases.txt` holds a case a line, judged on the words spoken.

"## kind" opens a section, "## kind language" one in another language; `\n` in a case is a newline.
"""

import re
from pathlib import Path

import pytest

from firstword.text.speakable import speakable

_CASES = Path(__file__).with_name("speakable_cases.txt")


def _cases() -> list[tuple[str, str, str]]:
    cases, language = [], "en-us"
    for line in _CASES.read_text(encoding="utf-8").splitlines():
        written, arrow, said = line.rpartition(" =>")
        if arrow:
            cases.append((language, written.replace("\\n", "\n"), said.replace("\\n", "\n").strip()))
        else:
            language = [*line.split(), "", ""][2] or "en-us"
    return cases


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.lower())


@pytest.mark.parametrize(("language", "written", "said"), _cases())
def test_what_is_written_is_said(language: str, written: str, said: str) -> None:
    assert _words(speakable(written, language).text) == _words(said)
