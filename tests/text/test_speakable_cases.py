"""What is written and what is said: `speakable_cases.txt` holds a case a line, judged on the words spoken.

"## kind" opens a section, "## kind language" one in another language; `\\n` in a case is a newline.
Sections "blind-…" were written before anyone looked at what the code gives.
"""

import re
from pathlib import Path

import pytest

from firstword.text.speakable import speakable

_CASES = Path(__file__).with_name("speakable_cases.txt")


def _sections() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """(kind, language) -> what is written and what is said."""
    sections: dict[tuple[str, str], list[tuple[str, str]]] = {}
    cases: list[tuple[str, str]] = []
    for line in _CASES.read_text(encoding="utf-8").splitlines():
        written, arrow, said = line.rpartition(" =>")
        if arrow:
            cases.append((written.replace("\\n", "\n"), said.replace("\\n", "\n").strip()))
        else:
            _, kind, *language = line.split()
            cases = sections.setdefault((kind, language[0] if language else "en-us"), [])
    return sections


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.lower())


@pytest.mark.parametrize(("section", "cases"), _sections().items())
def test_what_is_written_is_said(section: tuple[str, str], cases: list[tuple[str, str]]) -> None:
    _, language = section
    wrong = {
        written: f"said {spoken!r}, wanted {said!r}"
        for written, said in cases
        if _words(spoken := speakable(written, language).text) != _words(said)
    }
    assert not wrong
