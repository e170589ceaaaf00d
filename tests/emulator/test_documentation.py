"""The guide lists what there is."""

import re
from pathlib import Path

from firstword.emulator.faults import FAULTS
from firstword.emulator.operations import OPERATIONS

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "emulator.md"


def test_the_guide_lists_every_fault_with_what_happens() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", GUIDE.read_text(), re.MULTILINE))
    assert {name: rows.get(name) for name in FAULTS} == FAULTS


def test_the_guide_lists_every_operation_that_a_fault_can_name() -> None:
    text = GUIDE.read_text()
    assert [name for name in OPERATIONS if f"`{name}`" not in text] == []
