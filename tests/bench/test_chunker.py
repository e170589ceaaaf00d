"""The chunker's scoring, on cuts whose worth is known."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstword.bench.chunker import measure
from firstword.bench.chunker_peers import Pulled, Resplit, peers
from firstword.bench.cuts import Case, judge, load_cases, stream, tokens
from firstword.errors import UsageError

CASE = Case(
    id="x", language="en", category="c", text="One. Two is\n3.5. Six 🚀", sentences=("One.", "Two is\n3.5.", "Six 🚀")
)


def outcome(*chunks: str, case: Case = CASE) -> tuple[int, int, int, bool, bool]:
    result = judge(case, [(chunk, 1) for chunk in chunks], [case.text])
    return result.hits, result.extra, result.missed, result.lossless, result.exact


def test_the_right_cuts_are_exact() -> None:
    assert outcome("One.", "Two is 3.5.", "Six 🚀") == (2, 0, 0, True, True)


def test_an_extra_and_a_missed_cut_are_counted() -> None:
    assert outcome("One. Two is", "3.5.", "Six 🚀") == (1, 1, 1, True, False)


def test_on_which_side_of_a_cut_an_emoji_falls_makes_no_difference() -> None:
    case = Case(id="x", language="en", category="c", text="Hi! 🚀 Go.", sentences=("Hi! 🚀", "Go."))
    assert outcome("Hi!", "🚀 Go.", case=case)[-1]


def test_an_optional_cut_is_neither_right_nor_wrong() -> None:
    case = Case(id="x", language="en", category="c", text="ab cd", sentences=("ab cd",), optional=(2,))
    assert outcome("ab", "cd", case=case)[-1]
    assert outcome("ab cd", case=case)[-1]


@pytest.mark.parametrize(
    "chunks", [("One.", "Two is 3.5."), ("One.", "Two 3.5.", "Six 🚀"), ("One.", "Twos is 3.5.", "Six 🚀")]
)
def test_lost_or_invented_characters_are_never_exact(chunks: tuple[str, ...]) -> None:
    assert not outcome(*chunks)[-1]


def test_delay_counts_tokens_after_the_one_that_ended_the_sentence() -> None:
    fragments = ["One", ".", " Two", " is", "\n3.5", ".", " Six 🚀"]
    released = [("One.", 2), ("Two is\n3.5.", 7), ("Six 🚀", 7)]
    assert judge(CASE, released, fragments).delays == (0, 1)


def test_tokens_are_the_text_again() -> None:
    text = "Unbelievably long words,\r\n\n日本語のテキスト and  spaces_"
    assert "".join(tokens(text)) == text
    assert max(len(token.strip()) for token in tokens(text)) <= 6


def test_the_regular_expression_streams_like_a_framework_would() -> None:
    peer = Resplit(lambda text: text.split(". "))
    assert [chunk for chunk, _ in stream(peer, ["One", ". T", "wo. ", "Three"])] == ["One", "Two", "Three"]
    assert "regex" in peers()


def test_the_bench_reports_ours_and_the_peers_from_one_run(tmp_path: Path) -> None:
    row = {
        "id": "a",
        "lang": "en",
        "category": "c",
        "text": "Dr. Lee is in. Go.",
        "sentences": ["Dr. Lee is in.", "Go."],
        "optional": [],
    }
    (tmp_path / "cases.jsonl").write_text(json.dumps(row), encoding="utf-8")
    measured = measure(tmp_path, long_chars=20_000)
    assert measured["firstword"]["exact"] == 1
    assert measured["regex"]["exact"] == 0
    assert measured["firstword"]["same_for_every_fragmentation"] == 1
    assert json.loads(json.dumps(measured)) == measured


def test_no_cases_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        load_cases(tmp_path)


def test_a_generator_that_pulls_is_fed_a_fragment_at_a_time() -> None:
    def lines(fragments: Iterator[str]) -> Iterator[str]:
        text = ""
        for fragment in fragments:
            text += fragment
            while "." in text:
                sentence, _, text = text.partition(".")
                yield sentence + "."
        yield text

    pulled = Pulled(lines)
    assert [pulled.feed(fragment) for fragment in ("One", ". Tw", "o. Three. F")] == [
        [],
        ["One."],
        [" Two.", " Three."],
    ]
    assert pulled.flush() == [" F"]
