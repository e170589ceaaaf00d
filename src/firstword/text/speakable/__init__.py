"""Written text -> the words to say, with an exact map back: markdown, code, links, emoji, numbers, pronunciations.

    speakable(text) -> Spoken              a sentence or a whole text at once
    spoken_phonemes(ipa) -> Spoken         a request that is phonemes altogether
    SpeakableStream                        a live text: reasoning and open fences cross its sentences
    SpeakableOptions                       what is announced, named, dropped or pronounced otherwise

Above it: `speech` (says `Spoken.segments`), `cli`. Beside it: `text.chunker`, which cuts the source; nothing here cuts.
It knows nothing of phonemizers, voices or sockets.
"""

from firstword.text.speakable.options import SpeakableOptions
from firstword.text.speakable.spoken import Pause, Phonemes, Said, Segment, Spoken
from firstword.text.speakable.stream import SpeakableStream, speakable, spoken_phonemes

__all__ = [
    "Pause",
    "Phonemes",
    "Said",
    "Segment",
    "SpeakableOptions",
    "SpeakableStream",
    "Spoken",
    "speakable",
    "spoken_phonemes",
]
