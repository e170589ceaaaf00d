"""The published tables of formats are what the code has and does."""

import re
from pathlib import Path

import numpy as np
import pytest

from firstword.audio import float_to_pcm
from firstword.codecs.decoder import decode_whole
from firstword.codecs.encoder import make_encoder
from firstword.codecs.formats import FORMATS
from firstword.errors import CodecError

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


FIRST_BYTES_MS = {name: int(limit) for name, limit in re.findall(r"^\| ([a-z0-9]+) \| (\d+) ms \|", PAGE, re.MULTILINE)}


def test_the_page_says_of_every_container_when_its_first_bytes_come() -> None:
    assert FIRST_BYTES_MS.keys() == FORMATS.keys() - {"wav", "pcm", "ulaw"}


@pytest.mark.parametrize(("name", "limit_ms"), FIRST_BYTES_MS.items())
def test_the_first_bytes_that_can_be_decoded_come_after_as_much_audio_as_the_page_says(
    name: str, limit_ms: int
) -> None:
    pcm = float_to_pcm(0.3 * np.sin(2 * np.pi * 300 * np.arange(24_000) / 24_000))
    encoder, data, given = make_encoder(name), b"", 0
    while not _heard(data, name):
        data += encoder.encode(pcm[given : given + 96])
        given += 96
    assert given / 48 <= limit_ms


def _heard(data: bytes, name: str) -> bool:
    try:
        return bool(decode_whole(data, name)[0])
    except CodecError:
        return False
