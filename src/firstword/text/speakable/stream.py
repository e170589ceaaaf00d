"""The two doors: a text at once, and a live text sentence by sentence."""

from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.edits import Edit
from firstword.text.pronunciation import check_phonemes, phonemes_of
from firstword.text.speakable.mapped import Mapped
from firstword.text.speakable.options import SpeakableOptions
from firstword.text.speakable.passes import Speaker
from firstword.text.speakable.reasoning import ReasoningFilter
from firstword.text.speakable.slots import Slots
from firstword.text.speakable.source import Source
from firstword.text.speakable.spoken import NOTHING, Part, Spoken, joined

__all__ = ["SpeakableStream", "speakable", "spoken_phonemes"]

_PLAIN = SpeakableOptions()


def speakable(text: str, language: str = "en-us", options: SpeakableOptions = _PLAIN) -> Spoken:
    """`text` as said in `language`, numbers expanded, nothing but words and punctuation left.

    It is cut into sentences and each is read alone, as a live text is, so that both say the same.
    Empty if there is nothing to say. Raises RequestRefused (code bad_pronunciation) if an inline pronunciation holds
    a symbol that `options.symbols` lacks.
    """
    stream = SpeakableStream(language, options)
    shown = stream.feed(text) + stream.finish()
    return joined([*stream.say_each(shown), stream.say_rest()])


def spoken_phonemes(phonemes: str, options: SpeakableOptions = _PLAIN) -> Spoken:
    """A request that is phonemes altogether. Raises RequestRefused (bad_pronunciation) for a symbol the voice lacks."""
    said = phonemes_of(phonemes) or phonemes.strip()
    check_phonemes(said, options.symbols)
    slots = Slots()
    start = phonemes.find(said)
    return slots.finish(
        Mapped.of(phonemes[start : start + len(said)], start).apply([Edit(0, len(said), slots.phonemes(said, said))])
    )


class SpeakableStream:
    """A live text. Give every delta to `feed` and its result to the chunker; say each sentence the chunker cuts.

        chunker.feed(stream.feed(delta)) -> sentences;   stream.say(sentence) -> Spoken
        chunker.feed(stream.finish()), chunker.flush(), stream.say_rest()   at the end

    Offsets of what `say` returns count in everything fed. Sentences are said in the order they were cut, each once.
    """

    def __init__(self, language: str = "en-us", options: SpeakableOptions = _PLAIN) -> None:
        self._language = language
        self._names_emoji = options.emoji == "name"
        self._hidden = ReasoningFilter(inside=options.inside_reasoning)
        self._source = Source()
        self._speaker = Speaker(language, options)
        self._silent = True

    def feed(self, delta: str) -> str:
        """The part of the text, up to and with `delta`, that may now be cut into sentences."""
        return self._source.extend(self._hidden.feed(delta))

    def finish(self) -> str:
        """What had been held back, at the end of the text."""
        return self._source.extend(self._hidden.finish())

    def say(self, sentence: str) -> Spoken:
        """One sentence as said. Raises RequestRefused as `speakable` does."""
        return self._say(sentence).spoken

    def say_several(self, sentences: str) -> Spoken:
        """The same of a slice that may hold several sentences: each is read alone."""
        return joined(self.say_each(sentences))

    def say_each(self, sentences: str) -> list[Part]:
        """The sentences of a slice, each with what stood before it."""
        chunker = IncrementalSentenceChunker(self._language)
        return [self._say(sentence) for sentence in [*chunker.feed(sentences), *chunker.flush()]]

    def say_rest(self) -> Part:
        """What no sentence held, once all are said: a text that is one sign ("€"), an emoji if they are named."""
        if self._silent or self._names_emoji:
            return self._say(None)
        return Part("", NOTHING)

    def _say(self, sentence: str | None) -> Part:
        found = self._source.take(sentence)
        spoken = self._speaker.say(found.text, starts_line=found.starts_line)
        self._silent = self._silent and not spoken.text
        return Part(found.gap, spoken)
