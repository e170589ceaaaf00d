"""The published table of formats is the one the code has."""

import re
from pathlib import Path

from firstword.codecs.formats import FORMATS

PAGE = (Path(__file__).parents[2] / "docs/reference/formats.md").read_text(encoding="utf-8")


def test_every_format_is_on_the_page_with_its_type_suffixes_and_rates() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| `")
    ]
    written = {row[0].strip("`"): row[1:4] for row in rows}
    assert written.keys() == FORMATS.keys()
    for name, (content_type, suffixes, rates) in written.items():
        entry = FORMATS[name]
        assert (content_type, tuple(suffixes.split())) == (entry.content_type, entry.suffixes)
        rates_hz = [int(rate) for rate in re.findall(r"\d+", rates)]
        assert (rates_hz[0], sorted(rates_hz)) == (entry.default_rate_hz, sorted(entry.rates_hz))
