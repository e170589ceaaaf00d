"""`bench chunker`: how well and how soon sentences are cut, beside peers, on the project's own cases in one run.

The figures depend on the cases, which the project wrote itself: they compare ways of cutting and claim nothing of other
texts. Scoring is `cuts`, other ways of cutting `chunker_peers`.
"""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from firstword.bench.chunker_peers import PEERS, peers
from firstword.bench.cuts import Case, Chunker, Tally, judge, load_cases, stream, tokens
from firstword.text.chunker import IncrementalSentenceChunker

__all__ = ["CASES", "measure"]

CASES: Final = Path("tests/text/cases")
# Some peers cut at a hundredth of our speed, and a character at a time they are asked six times as often.
_PEERS_COMPARED: Final = 10
_ENDLESS: Final = "and so the river kept on going past the old mill "


def measure(cases: Path = CASES, *, long_chars: int = 1_000_000, with_peers: bool = True) -> dict[str, Any]:
    """Score firstword and every peer that is installed on the cases in `cases`.

    Returns JSON-able figures by name: exact rate and F1 in all, by language and by category, delay in tokens, share of
    cases (of peers: of every tenth) cut the same whole, in tokens and by character, microseconds a token; for firstword
    also with a pause after each token, and the time for one endless sentence of `long_chars` characters. Raises
    UsageError without cases.
    """
    loaded = load_cases(cases)
    results: dict[str, Any] = {"cases": len(loaded), "firstword": _figures(IncrementalSentenceChunker, loaded)}
    results["firstword"]["with_pauses"] = _with_pauses(loaded)
    results["firstword"]["endless_sentence"] = _endless_sentence(long_chars)
    found = peers() if with_peers else {}
    results |= {name: _figures(make, loaded, compare_every=_PEERS_COMPARED) for name, make in found.items()}
    results["not_installed"] = [name for name in PEERS if name not in found]
    return results


def _figures(make: Callable[[str], Chunker], cases: Sequence[Case], *, compare_every: int = 1) -> dict[str, Any]:
    """`compare_every` n: only every n-th case is also cut from other fragments."""
    make("en")  # loads what has to be loaded
    every, compared = Tally(), []
    by_language: dict[str, Tally] = {}
    by_category: dict[str, Tally] = {}
    seconds, count = 0.0, 0
    for index, case in enumerate(cases):
        fragments = tokens(case.text)
        began = time.process_time()
        released = stream(make(case.language), fragments)
        seconds += time.process_time() - began
        count += len(fragments)
        outcome = judge(case, released, fragments)
        for tally in (
            every,
            by_language.setdefault(case.language, Tally()),
            by_category.setdefault(case.category, Tally()),
        ):
            tally.add(outcome)
        if index % compare_every == 0:
            compared.append(_is_same_in_other_fragments(make, case, [chunk for chunk, _ in released]))
    return _summary(every) | {
        "same_for_every_fragmentation": round(sum(compared) / len(compared), 4),
        "microseconds_a_token": round(seconds / count * 1e6, 2),
        "by_language": {name: _rates(tally) for name, tally in sorted(by_language.items())},
        "by_category": {name: _rates(tally) for name, tally in sorted(by_category.items())},
    }


def _is_same_in_other_fragments(make: Callable[[str], Chunker], case: Case, chunks: list[str]) -> bool:
    others = (list(case.text), [case.text], tokens(case.text, seed=1))
    return all(
        [_bare(chunk) for chunk, _ in stream(make(case.language), fragments)] == [_bare(chunk) for chunk in chunks]
        for fragments in others
    )


def _bare(chunk: str) -> str:
    return "".join(chunk.split())


def _with_pauses(cases: Sequence[Case]) -> dict[str, Any]:
    """As if a pause followed every token, so that `idle` is asked each time: the soonest and least sure cuts."""
    tally = Tally()
    for case in cases:
        fragments = tokens(case.text)
        chunker = IncrementalSentenceChunker(case.language)
        tally.add(judge(case, stream(chunker, fragments, chunker.idle), fragments))
    return _summary(tally)


def _summary(tally: Tally) -> dict[str, Any]:
    delays = sorted(tally.delays)
    return _rates(tally) | {
        "lossless": round(tally.lossless / tally.cases, 4),
        "unspeakable_chunks": tally.unspeakable,
        "delay_tokens": {
            "mean": round(statistics.mean(delays), 3) if delays else None,
            "p95": delays[math.ceil(0.95 * len(delays)) - 1] if delays else None,
            "max": delays[-1] if delays else None,
        },
    }


def _rates(tally: Tally) -> dict[str, Any]:
    return {"n": tally.cases, "exact": round(tally.exact / tally.cases, 4), "f1": round(tally.f1, 4)}


def _endless_sentence(chars: int) -> dict[str, Any]:
    """The cost of one sentence without an end, a character at a time, and how it grows with its length."""
    chunker = IncrementalSentenceChunker("en")
    began, part_s = time.process_time(), 0.0
    for index in range(chars):
        chunker.feed(_ENDLESS[index % len(_ENDLESS)])
        if index == chars // 64:
            part_s = time.process_time() - began
    whole_s = time.process_time() - began
    exponent = math.log(whole_s / part_s) / math.log(64) if part_s > 0 else None
    return {"chars": chars, "seconds": round(whole_s, 3), "exponent": None if exponent is None else round(exponent, 3)}
