"""The voice of this machine, called directly, for the scenarios that need speech and no network."""

from dataclasses import dataclass
from typing import Any

from firstword import audio
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.loader import load_synthesizer
from firstword.kokoro.synthesizer import CancelToken, Synthesizer, VoiceOptions
from firstword.speech.script import PlannedPiece, Script, spoken_language
from firstword.text.chunker import IncrementalSentenceChunker

__all__ = ["Spoken", "open_voice", "speak"]


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """PCM of one text, and where its sentences, pieces and windows were joined, in seconds."""

    text: str
    pcm: bytes
    joins_s: tuple[float, ...]


def open_voice(**overrides: Any) -> Synthesizer:
    """The voice as the settings say, loaded and warm. Raises AssetError where its weights cannot be had."""
    synthesizer = load_synthesizer(VoiceSettings.load(**overrides), AssetSettings.load())
    synthesizer.warm()
    return synthesizer


def speak(synthesizer: Synthesizer, text: str, options: VoiceOptions | None = None) -> Spoken:
    """Say one text as the server does: sentence by sentence, with the pauses that its punctuation asks for."""
    pcm, joins, pause_s = bytearray(), [], 0.0
    for planned in _pieces(synthesizer, text, options or VoiceOptions()):
        pcm += audio.silence(pause_s)
        decoding = synthesizer.begin(planned.piece, CancelToken())
        while (step := decoding.step()) is not None:
            joins.append(audio.duration_s(len(pcm)))
            pcm += step
        pause_s = planned.pause_after_s
    return Spoken(text=text, pcm=bytes(pcm), joins_s=tuple(joins[1:]))


def _pieces(synthesizer: Synthesizer, text: str, options: VoiceOptions) -> list[PlannedPiece]:
    script = Script(synthesizer, options, IncrementalSentenceChunker(spoken_language(options), "sentence"))
    script.feed(text)
    script.finish()
    pieces: list[PlannedPiece] = []
    while script.has_sentence:
        sentence = script.next_sentence()
        pieces += sentence.pieces if sentence is not None else ()
    return pieces
