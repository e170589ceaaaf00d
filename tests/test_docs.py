"""The documents: links lead somewhere, commands exist, nothing of a build machine is in them."""

import re
import runpy
from pathlib import Path

import pytest

from firstword.cli.main import _TABLE

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    ours = [link for link in targets if "://" not in link and not link.startswith("/")]  # `[word](/ipa/)` is no link
    missing = [link for link in ours if not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_command_that_is_shown_exists(page: Path) -> None:
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    shown = re.findall(r"^(?:\$ )?(?:uv run )?firstword ([a-z][a-z-]*)", "\n".join(blocks), re.MULTILINE)
    assert set(shown) <= set(_TABLE)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_no_page_is_without_a_title(page: Path) -> None:
    assert page.read_text(encoding="utf-8").startswith("# ")


def test_the_page_of_benchmarks_says_what_the_results_say() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "benchmarks_page.py"))
    assert (ROOT / "docs" / "benchmarks" / "README.md").read_text(encoding="utf-8") == script["written"]()
