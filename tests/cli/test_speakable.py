"""`firstword speakable`: words on stdout, a map on demand, errors on one line."""

import json
import subprocess
import sys
from pathlib import Path


def _run(*argv: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    code = "from firstword.cli.main import run; run()"
    return subprocess.run(
        [sys.executable, "-c", code, "speakable", *argv],
        input=stdin, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_it_shows_the_words_of_its_arguments_or_of_standard_input() -> None:
    assert _run("Pay", "$5.").stdout == "Pay five dollars.\n"
    assert _run("-", stdin="Pay **$5**.").stdout == "Pay five dollars.\n"
    assert _run("105", "--language", "en-gb").stdout == "one hundred and five\n"


def test_its_map_tells_where_each_word_was_written(tmp_path: Path) -> None:
    assert _run("**Pay** $5", "--map").stdout.splitlines() == ["0-3\t2-5\tPay\t'Pay'", "4-16\t8-10\tfive dollars\t'$5'"]
    dictionary = tmp_path / "words.json"
    dictionary.write_text('{"tomato": "/təmˈɑːtO/"}', encoding="utf-8")
    answer = json.loads(_run("A tomato.", "--json", "--pronunciations", str(dictionary)).stdout)
    assert answer["text"] == "A tomato."
    assert answer["segments"][1] == {"kind": "phonemes", "start": 2, "end": 8, "ipa": "təmˈɑːtO"}


def test_a_phoneme_the_voice_lacks_is_named_and_a_file_that_is_none_is_wrong_use(tmp_path: Path) -> None:
    refused = _run("[tomato](/tʘm/)")
    assert refused.returncode == 1
    assert refused.stderr.splitlines() == ["firstword speakable: The voice has no phoneme ʘ U+0298."]
    missing = _run("x", "--pronunciations", str(tmp_path / "none.json"))
    assert missing.returncode == 2
    assert len(missing.stderr.splitlines()) == 1
