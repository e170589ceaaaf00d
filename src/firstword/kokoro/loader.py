"""Chooses the voice engine by its settings. Imports it only then: an engine brings seconds of imports with it."""

from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import ConfigError
from firstword.kokoro.synthesizer import Synthesizer

__all__ = ["load_synthesizer"]

_SHORTEST_PIECE, _LONGEST_PIECE = 20, 510
_DECODES = ("auto", "full", "streamed")
_SPINNING = ("auto", "on", "off")
_WINDOWS = ("auto", "float32", "int8")


def load_synthesizer(settings: VoiceSettings, assets: AssetSettings) -> Synthesizer:
    """The engine that `settings.engine` names. Its weights load (and are fetched, if need be) in its `warm`.

    Raises ConfigError if there is no such engine, or a setting that both need means nothing.
    """
    if not _SHORTEST_PIECE <= settings.max_piece_tokens <= _LONGEST_PIECE:
        raise ConfigError(
            f"Pieces of {settings.max_piece_tokens} tokens cannot be.",
            hint=f"Set FIRSTWORD_VOICE_MAX_PIECE_TOKENS to {_SHORTEST_PIECE} to {_LONGEST_PIECE}.",
        )
    if settings.decode not in _DECODES:
        raise ConfigError(
            f"There is no way to decode called {settings.decode!r}.",
            hint=f"Set FIRSTWORD_VOICE_DECODE to {', '.join(_DECODES)}.",
        )
    if settings.spinning not in _SPINNING:
        raise ConfigError(
            f"Threads cannot spin {settings.spinning!r}.",
            hint=f"Set FIRSTWORD_VOICE_SPINNING to {', '.join(_SPINNING)}.",
        )
    if settings.windows not in _WINDOWS:
        raise ConfigError(
            f"Windows cannot be decoded in {settings.windows!r}.",
            hint=f"Set FIRSTWORD_VOICE_WINDOWS to {', '.join(_WINDOWS)}.",
        )
    match settings.engine:
        case "kokoro":
            from firstword.kokoro.synthesis import KokoroVoice

            return KokoroVoice(settings, assets)
        case "tone":
            from firstword.kokoro.tone import ToneVoice

            return ToneVoice(max_piece_tokens=settings.max_piece_tokens)
        case other:
            raise ConfigError(
                f"There is no voice engine {other!r}.", hint="Set FIRSTWORD_VOICE_ENGINE to kokoro or tone."
            )
