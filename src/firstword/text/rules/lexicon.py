"""What a language contributes to the rules: its abbreviations, the words its sentences begin with, its small habits.

A `Language` is data; the modules beside this one each hold one or several. `languages` puts them together.
Knows no text and decides nothing.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

__all__ = ["Kind", "Language", "words"]


class Kind(Enum):
    """What a full stop after a word says."""

    PLAIN = auto()  # an ordinary word: a stop ends the sentence
    NEVER = auto()  # "e.g.", "Mr.": never ends one
    NUMBERED = auto()  # "p.", "vol.": not before a number, else like MAYBE
    COUNTED = auto()  # "No.", "fig.": not before a number, else an ordinary word
    ENDS = auto()  # "etc.", "Sept.": ends one before a capital
    LIKELY = auto()  # "p.m.", "Blvd.": ends one before a capital, but for a few followers
    MAYBE = auto()  # "Inc.", "U.S.", initials: ends one only before a word that sentences begin with
    UNIT = auto()  # "ft.", "in.": after a number like ENDS, else an ordinary word


def words(text: str) -> frozenset[str]:
    """The words of a data block."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. Words with a capital in an abbreviation list count only when written so; others in any case.

    `shared` lists hold for texts of other languages too (no word of another language looks like them), `own` lists
    only where the text is known or guessed to be in this language.
    """

    code: str
    shared: dict[Kind, str] = field(default_factory=dict)
    own: dict[Kind, str] = field(default_factory=dict)
    # Words a sentence begins with and a name does not.
    starters: frozenset[str] = frozenset()
    # Words after which a single letter is a label: "option A."
    labelled: frozenset[str] = frozenset()
    # Words that tell the language of a text.
    telltale: frozenset[str] = frozenset()
    # Nouns a nation's acronym stands before: "U.S. Senate".
    institutions: frozenset[str] = frozenset()
    # Words that continue "6 p.m." or "Oak Blvd." though they are written with a capital.
    followers: frozenset[str] = frozenset()
    # Words no line of verse and no sentence ends with.
    needy: frozenset[str] = frozenset()
    # Words before which a long first clause may be cut.
    conjunctions: frozenset[str] = frozenset()
    # Those of them that also join single words, and count only before a word that sentences begin with.
    joining: frozenset[str] = frozenset()
    # Words that belong to a conjunction behind them: "even if".
    tied: frozenset[str] = frozenset()
    # Words a question or courtesy tag begins with: ", isn't it?", ", please".
    tags: frozenset[str] = frozenset()
    # Where ordinals are numbers with a stop: months, the words before such a number, nouns it counts.
    months: frozenset[str] = frozenset()
    before_ordinal: frozenset[str] = frozenset()
    ordinal_nouns: frozenset[str] = frozenset()
    # Verbs of saying, which tie a quote to the words behind it.
    saying: frozenset[str] = frozenset()
