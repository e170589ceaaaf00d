"""The Kokoro voice: text to pieces, a piece to PCM in steps. Above it the scheduler, below it phonemes and model.

Everything loads at first use (fetching the assets if need be), under a lock; after that any thread may call.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.audio import SAMPLE_RATE_HZ, float_to_pcm
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.assets import Progress, open_store
from firstword.kokoro.assets.manifest import MODEL, quiet
from firstword.kokoro.backends import open_backend
from firstword.kokoro.model import Model
from firstword.kokoro.phonemes import LANGUAGES, Pronouncer, require_extra
from firstword.kokoro.planning import plan_pieces
from firstword.kokoro.source import SAMPLES_PER_STEP, Prosody
from firstword.kokoro.styles import Styles
from firstword.kokoro.synthesizer import Begin, CancelToken, Piece, SpokenWord, VoiceOptions
from firstword.kokoro.timing import speech_range, spoken_words
from firstword.kokoro.tuning import INT8, Choice, choose
from firstword.kokoro.vocabulary import MAX_TOKENS, SYMBOLS, VOCABULARY
from firstword.kokoro.voices import VOICES, check_options, parse_voice

__all__ = ["KokoroVoice"]

_WARMING: Final = ("I", "All is ready, and the first word can be said.")
"""One text that is decoded whole and one in windows of all sizes but the remainders."""
_FADE_S: Final = 0.005
"""Length of the fade at an end that was cut, so that a cut never clicks."""


@dataclass(frozen=True, kw_only=True)
class _Loaded:
    choice: Choice
    model: Model
    styles: Styles


class KokoroVoice:
    """A `Synthesizer` over Kokoro-82M. `progress` hears of assets being fetched, should they have to be."""

    def __init__(self, settings: VoiceSettings, assets: AssetSettings, progress: Progress = quiet) -> None:
        self._settings = settings
        self._assets = assets
        self._progress = progress
        self._max_tokens = min(settings.max_piece_tokens, MAX_TOKENS)
        self._pronouncer = Pronouncer()
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def check(self, options: VoiceOptions) -> None:
        _, language = check_options(options, LANGUAGES)
        require_extra(language)

    def plan(
        self, text: str, options: VoiceOptions, pronounced: Sequence[tuple[int, int, str]] = ()
    ) -> Sequence[Piece]:
        _, language = check_options(options, LANGUAGES)
        said = self._pronouncer.pronounce(text, language, pronounced)
        return plan_pieces(text, said, VOCABULARY, options, self._max_tokens)

    def begin(self, piece: Piece, cancel: CancelToken) -> "_Decoding":
        model, style = self.parts(piece)
        prosody = model.front(piece.tokens, style, piece.options.speed, cancel)
        return _Decoding(model, piece, style, prosody, cancel)

    def parts(self, piece: Piece) -> tuple[Model, NDArray[np.float32]]:
        """The model and the style, [1, 256], that a piece is spoken with: for measurements below the seam."""
        loaded = self._load()
        return loaded.model, loaded.styles.row(parse_voice(piece.options.voice), len(piece.tokens))

    def runs_on(self) -> Choice:
        """What the model runs on here, and who chose it. Loads it, if need be."""
        return self._load().choice

    def symbols(self) -> frozenset[str]:
        return SYMBOLS

    def voices(self) -> Sequence[str]:
        return tuple(VOICES)

    def warm(self, begin: Begin | None = None) -> None:
        self._load()
        for text, start in zip(_WARMING, (self.begin, begin or self.begin), strict=True):
            decoding = start(self.plan(text, VoiceOptions())[0], CancelToken())
            decoding.prepare()
            while decoding.step() is not None:
                pass

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                store = open_store(self._assets)
                directory = store.ensure(self._progress)
                manifest = store.manifest()
                precision = manifest.precision
                choice = choose(self._settings, store.base, manifest.files[MODEL].sha256, precision)
                backend = open_backend(choice.backend, choice.threads, spinning=choice.spinning, precision=precision)
                int8 = choice.windows == INT8
                model = Model(directory / MODEL, store.base, backend=backend, decode=self._settings.decode, int8=int8)
                self._loaded = _Loaded(choice=choice, model=model, styles=Styles(directory))
            return self._loaded


class _Decoding:
    """One piece: its prosody is known, its samples are not yet."""

    def __init__(
        self, model: Model, piece: Piece, style: NDArray[np.float32], prosody: Prosody, cancel: CancelToken
    ) -> None:
        self._model = model
        self._piece = piece
        self._style = style
        self._prosody = prosody
        self._cancel = cancel
        self._kept = speech_range(prosody) if piece.options.trim else (0, prosody.steps)
        self._given = 0
        self._stretches: Iterator[NDArray[np.float32]] | None = None
        self.words: Sequence[SpokenWord] = spoken_words(piece, prosody, self._kept)

    @property
    def duration_s(self) -> float:
        return (self._kept[1] - self._kept[0]) * SAMPLES_PER_STEP / SAMPLE_RATE_HZ

    def prepare(self) -> None:
        self._prepared()

    def step(self) -> bytes | None:
        self._cancel.check()
        samples = next(self._prepared(), None)
        if samples is None:
            return None
        first, last = self._kept
        starts, self._given = self._given == 0, self._given + len(samples)
        ends = self._given == (last - first) * SAMPLES_PER_STEP
        return float_to_pcm(_faded(samples, starts and first > 0, ends and last < self._prosody.steps))

    def _prepared(self) -> Iterator[NDArray[np.float32]]:
        if self._stretches is None:
            source = self._model.body(self._prosody, self._style, self._cancel)
            self._stretches = self._model.generator.stretches(source, self._style, self._kept, self._cancel)
        return self._stretches


def _faded(samples: NDArray[np.float32], start: bool, end: bool) -> NDArray[np.float32]:
    """The samples with the ends that were cut faded."""
    size = min(round(_FADE_S * SAMPLE_RATE_HZ), len(samples))
    ramp = np.linspace(0.0, 1.0, size, endpoint=False, dtype=np.float32)
    faded = samples.copy()
    if start:
        faded[:size] *= ramp
    if end:
        faded[len(faded) - size :] *= ramp[::-1]
    return faded
