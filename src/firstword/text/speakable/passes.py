"""The order in which a text is worked through, and the state that crosses its sentences."""

from firstword.text.edits import Claims, Edit
from firstword.text.normalize import normalize
from firstword.text.speakable import clean, code, emoji, emphasis, html, links, maths
from firstword.text.speakable.blocks import Blocks
from firstword.text.speakable.mapped import Mapped
from firstword.text.speakable.options import SpeakableOptions
from firstword.text.speakable.sign_words import code_announced
from firstword.text.speakable.slots import Slots
from firstword.text.speakable.spoken import Spoken

__all__ = ["Speaker"]


class Speaker:
    """Says one text after another of one stream."""

    def __init__(self, language: str, options: SpeakableOptions) -> None:
        self._language = language.lower()
        self._options = options
        self._displays = maths.Displays()
        self._blocks = Blocks(code_announced(self._language) if options.code == "announce" else "")

    def say(self, text: Mapped, *, starts_line: bool) -> Spoken:
        """`text` as said; `starts_line` if it is the beginning of a line of the source."""
        slots = Slots()
        text = text.apply(clean.entities(text.text))
        text = text.apply(clean.characters(text.text))
        text = text.apply(self._displays.edits(text.text))
        text = text.apply(self._blocks.edits(text.text, starts_line=starts_line))
        text = text.apply(code.spans(text.text))
        text = text.apply(self._inline(text.text, slots))
        text = text.apply(self._words(text.text, slots))
        text = text.apply(clean.spacing(text.text))
        return slots.finish(text)

    def _inline(self, text: str, slots: Slots) -> list[Edit]:
        claims = Claims(text)
        html.tags(claims, slots, self._options)
        maths.formulas(claims)
        links.brackets(claims, slots, self._options)
        links.addresses(claims, self._language)
        emphasis.stage_directions(claims, drop=self._options.stage_directions == "drop")
        emoji.pictures(claims, named=self._options.emoji == "name")
        code.names(claims, self._language)
        emphasis.marks(claims)
        return claims.edits()

    def _words(self, text: str, slots: Slots) -> list[Edit]:
        """Line by line: no number and no abbreviation reads on in the next."""
        edits: list[Edit] = []
        at = 0
        for line in text.split("\n"):
            edits += [Edit(at + start, at + end, said) for start, end, said in self._line(line, slots)]
            at += len(line) + 1
        return edits

    def _line(self, line: str, slots: Slots) -> list[Edit]:
        claims = Claims(line)
        claims.claim(
            [
                Edit(found.start, found.end, slots.phonemes(line[found.start : found.end], found.value))
                if found.phonemes
                else Edit(found.start, found.end, found.value)
                for found in self._options.pronunciations.find(line)
            ]
        )
        normalize(claims, self._language)
        return claims.edits()
