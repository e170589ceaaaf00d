"""Our English number words beside num2words': how often they agree, and what each costs. Behind docs/decisions/0008."""

import random
import time
from collections.abc import Callable

from num2words import num2words

from firstword.text.normalize.english.words import BRITISH

SAMPLE = 20_000


def main() -> None:
    chance = random.Random(1)
    numbers = [chance.randint(0, 10 ** chance.randint(1, 12)) for _ in range(SAMPLE)]
    years = list(range(1100, 2100))
    ordinals = [chance.randint(1, 10 ** chance.randint(1, 6)) for _ in range(SAMPLE)]
    decimals = [f"{chance.randint(0, 9999)}.{chance.randint(0, 99):02}" for _ in range(SAMPLE)]
    compare("cardinals", list(map(str, numbers)), BRITISH.cardinal, lambda text: num2words(int(text), lang="en_GB"))
    compare("ordinals", list(map(str, ordinals)), BRITISH.ordinal, lambda text: num2words(int(text), to="ordinal"))
    compare("years", list(map(str, years)), BRITISH.year, lambda text: num2words(int(text), to="year"))
    compare("decimals", decimals, BRITISH.number, lambda text: num2words(text))


def compare(kind: str, texts: list[str], ours: Callable[[str], str], theirs: Callable[[str], str]) -> None:
    said, our_us = timed(texts, ours)
    wanted, their_us = timed(texts, theirs)
    differing = [pair for pair in zip(texts, map(bare, said), map(bare, wanted), strict=True) if pair[1] != pair[2]]
    print(
        f"{kind}: {len(texts)} texts, {1 - len(differing) / len(texts):.4f} the same, {our_us:.1f} / {their_us:.1f} µs"
    )
    for text, one, other in differing[:3]:
        print(f"  {text}: {one!r} / {other!r}")


def timed(texts: list[str], say: Callable[[str], str]) -> tuple[list[str], float]:
    """What is said, and microseconds a text."""
    say(texts[0])
    began = time.process_time()
    said = [say(text) for text in texts]
    return said, (time.process_time() - began) / len(texts) * 1e6


def bare(said: str) -> str:
    return said.replace(",", "").replace("-", " ")


if __name__ == "__main__":
    main()
