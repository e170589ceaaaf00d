"""A table names files whole, however narrow the terminal."""

import io

from rich.console import Console

from firstword.bench.report import table


def test_a_word_wider_than_its_column_is_folded_and_not_cut() -> None:
    shown = io.StringIO()
    path = "/home/somebody/.cache/firstword/assets/packages"

    table("t", ("part", "what"), [("weights", path)], Console(file=shown, width=40), prose=True)

    assert "…" not in shown.getvalue()
    assert path in "".join(line.removeprefix("weights").strip() for line in shown.getvalue().splitlines())
