"""Japanese: Open JTalk reads and counts, its readings become phonemes word by word.

Open JTalk widens letters, turns digits into words and tells no places: `_placed` finds where each of its words stands.
Words are joined as in the word list that the model's own training used (misaki's), so that they have its spaces.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import takewhile
from typing import Final, NamedTuple

import pyopenjtalk
from misaki import data

from firstword.kokoro.phonemes.borrowed import BorrowedWords
from firstword.kokoro.phonemes.kana import say_kana
from firstword.kokoro.phonemes.language import Said
from firstword.kokoro.phonemes.scripts import is_japanese

__all__ = ["Japanese"]

_MOST_JOINED: Final = 8
_UNKNOWN: Final = "フィラー"
_NUMBER: Final = "数"


class _Node(NamedTuple):
    """A word of Open JTalk, which has `kana`, or a mark. `foreign`: it only spells it; `hangs`: on the one before."""

    written: str
    kana: str
    foreign: bool = False
    hangs: bool = False


class _Word(NamedTuple):
    """A node and where it stands: `text[start:end]`."""

    start: int
    end: int
    node: _Node


class Japanese:
    """A `Language`. Its dictionary is mapped on first use; the word list loads in a fraction of a second."""

    def __init__(self) -> None:
        self._listed = frozenset((files(data) / "ja_words.txt").read_text(encoding="utf-8").split("\n"))
        self._borrowed = BorrowedWords()
        pyopenjtalk.run_frontend("あ")

    def can_read(self, letter: str) -> bool:
        return is_japanese(letter)

    def say(self, text: str) -> Iterable[Said]:
        words = list(_placed(text, _read(text)))
        at = 0
        while at < len(words):
            size = self._joined(text, words[at : at + _MOST_JOINED])
            start, end, node = words[at].start, words[at + size - 1].end, words[at].node
            if node.foreign:
                yield Said(start, end, f" {self._borrowed.say(text[start:end]) or say_kana(node.kana)}")
            elif node.kana:
                kana = "".join(word.node.kana for word in words[at : at + size])
                yield Said(start, end, f" {say_kana(kana)}")
            else:
                yield Said(start, end, text[start:end])
            at += size

    def _joined(self, text: str, words: Sequence[_Word]) -> int:
        """How many of these words, from the first, are one: the longest that is listed, and what hangs on it."""
        run = list(takewhile(lambda word: word.node.kana and not word.node.foreign, words))
        start = words[0].start
        size = next((n for n in range(len(run), 1, -1) if text[start : run[n - 1].end] in self._listed), 1)
        while size < len(run) and (run[size].node.hangs or run[size - 1].node.kana.endswith("ッ")):
            size += 1
        return size


def _read(text: str) -> Iterator[_Node]:
    for node in pyopenjtalk.run_frontend(text):
        written = unicodedata.normalize("NFKC", node["string"])
        kana = node["pron"].replace("’", "") if node["mora_size"] else ""
        spelled = node["pos"] == _UNKNOWN and written.isascii() and not written.isupper()
        counts_on = node["pos_group1"] == _NUMBER and node["chain_flag"] == 1
        yield _Node(written, kana, bool(kana) and spelled, counts_on or kana.startswith(("ー", "ッ")))


def _placed(text: str, nodes: Iterable[_Node]) -> Iterator[_Word]:
    """Nodes where they stand in the text. Those it does not hold (digits that became words) share what lies between."""
    plain, origin = _plain(text)
    at, waiting = 0, ""
    for node in nodes:
        found = plain.find(node.written, at)
        if not node.written.strip() or found < 0 or (not waiting and plain[at:found].strip()):
            waiting += node.kana
            continue
        if waiting:
            between = plain[at:found].strip()
            if between:
                yield _stretch(plain.index(between, at), between, origin, _Node(between, waiting))
            else:
                node = node._replace(kana=waiting + node.kana)
            waiting = ""
        yield _stretch(found, node.written, origin, node)
        at = found + len(node.written)
    if waiting and (rest := plain[at:].strip()):
        yield _stretch(plain.index(rest, at), rest, origin, _Node(rest, waiting))


def _stretch(start: int, written: str, origin: Sequence[int], node: _Node) -> _Word:
    return _Word(origin[start], origin[start + len(written) - 1] + 1, node)


def _plain(text: str) -> tuple[str, list[int]]:
    """The text in the forms that words are compared in, and for each code point where it came from."""
    plain: list[str] = []
    origin: list[int] = []
    for place, symbol in enumerate(text):
        for form in unicodedata.normalize("NFKC", symbol):
            plain.append(form)
            origin.append(place)
    return "".join(plain), origin
