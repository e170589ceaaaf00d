"""The order in which a text is worked through, and the state that crosses its sentences."""

from firstword.text.speakable import clean
from firstword.text.speakable.mapped import Mapped
from firstword.text.speakable.options import SpeakableOptions
from firstword.text.speakable.slots import Slots
from firstword.text.speakable.spoken import Spoken

__all__ = ["Speaker"]


class Speaker:
    """Says one text after another of one stream."""

    def __init__(self, language: str, options: SpeakableOptions) -> None:
        self._language = language
        self._options = options

    def say(self, text: Mapped, *, starts_line: bool) -> Spoken:
        self._starts_line = starts_line
        slots = Slots()
        text = text.apply(clean.entities(text.text))
        text = text.apply(clean.characters(text.text))
        text = text.apply(clean.spacing(text.text))
        return slots.finish(text)
