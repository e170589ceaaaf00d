"""Streamed against whole decoding of the same utterance by the same graph: samples, spectra, level, words, joins.

Everything is heard as it is given out: silence at the ends trimmed, samples as PCM. The statistics that streamed
decoding foretells are the only difference, beside the edges of the windows.
"""

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.audio import SAMPLE_RATE_HZ, float_to_pcm
from firstword.bench import corpus
from firstword.bench.hearing import opinion, transcribe, word_error_rate
from firstword.bench.joins import find_faults
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.generator.fit.collect import prepare
from firstword.kokoro.generator.fit.corpus import JUDGES, Utterance, in_own_languages, one_word_each, short_ones
from firstword.kokoro.generator.fit.judge import Fidelity, compare, summary
from firstword.kokoro.generator.windows import SIZES
from firstword.kokoro.recipe import RECIPE
from firstword.kokoro.source import SAMPLES_PER_STEP
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions
from firstword.kokoro.voices import VOICES

__all__ = ["FIGURES", "GROUPS", "Group", "Report", "both_ways", "made_by", "run"]

type Floats = NDArray[np.float32]

_FRAME: Final = 2048
_FLOOR: Final = 1e-12
_BLENDS: Final = ("af_heart*0.5+am_michael*0.5", "bf_emma*0.7+af_bella*0.3", "af_nicole*0.5+hm_omega*0.5")
_HEARD: Final = ("sentences", "unseen", "one word")
_OTHERS: Final = (
    "af_sarah", "af_nova", "af_sky", "am_adam", "am_fenrir", "bf_isabella",
    "bm_fable", "em_alex", "if_sara", "pf_dora", "jm_kumo", "zf_xiaoxiao",
)  # fmt: skip
"""Twelve voices that are not among `JUDGES`."""
FIGURES: Final = (
    "snr_db_median", "snr_db_worst", "distance_db_median", "distance_db_worst", "level_db_median", "level_db_worst",
)  # fmt: skip
GROUPS: Final = (*_HEARD, "blends", "speed 0.5", "speed 2.0", "under 2 s", "languages", "every voice")


@dataclass(frozen=True, kw_only=True)
class Group:
    """`figures` are medians and worst of `results`; `faults` what the join test finds in streamed audio of so many
    `joins`, `faults_of_whole` in whole.

    `mean_error` and `variance_error` are what was foretold wrong, mean squares over all channels and utterances: of the
    means in units of the channel's deviation, of the variances of their logarithm.

    Words and sound are measured of the sentences and of single words only. Settings of the fit were chosen with the
    first sentences in sight, nothing by the unseen. `heard_worse` and `heard_better`: of how many texts more and fewer
    words are heard wrong streamed than whole; of all others as many. Of all the group's audio, `level_db_together` is
    by how much the streamed is louder than the whole, `timbre_db` by how much its long-term spectrum differs, in third
    octaves: the root mean square, and the most.
    """

    name: str
    figures: dict[str, float]
    joins: int
    faults: int
    faults_of_whole: int
    mean_error: float
    variance_error: float
    level_db_together: float
    timbre_db: float
    timbre_db_most: float
    word_error_rate: dict[str, float] | None
    heard_worse: int
    heard_better: int
    dnsmos: dict[str, float] | None
    by_voice: dict[str, dict[str, float]]
    results: tuple[Fidelity, ...]


@dataclass(frozen=True, kw_only=True)
class Report:
    graph: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, kw_only=True)
class _Both:
    """`errors` are of what was foretold: of means, of variances. `misheard` and `opinions` are of the whole and of the
    streamed, or empty where nobody listened."""

    voice: str
    whole: Floats
    streamed: Floats
    joins_s: Floats
    errors: Floats
    misheard: Floats
    opinions: Floats


def run(
    progress: Callable[[str], None],
    groups: Sequence[str] = GROUPS,
    *,
    backend: str = "onnxruntime",
    windows: str = "float32",
    keep: Path | None = None,
) -> Report:
    """Speak every utterance of the groups both ways. `backend` runs the generator of both; `windows`: streamed in what.

    What is spoken is kept in the directory `keep`, one file an utterance, and not spoken again by a later run of the
    same: what was made by another predictor, in other windows or by another library is kept elsewhere in it.
    """
    settings = VoiceSettings.load(decode="streamed", backend=backend, windows=windows, tuned=False)
    voice = KokoroVoice(settings, AssetSettings.load())
    with tempfile.TemporaryDirectory(prefix="firstword-fidelity-") as scratch:
        home = (keep or Path(scratch)) / made_by(backend, windows)
        home.mkdir(parents=True, exist_ok=True)
        done = []
        for name in groups:
            spoken = []
            for index, utterance in enumerate(_utterances(name)):
                progress(f"{name}: {utterance.options.voice}, {utterance.text}")
                path = home / f"{name.replace(' ', '_')}-{index:03d}.npz"
                if not path.exists():
                    _save(_speak(voice, utterance, heard=name in _HEARD), path)
                spoken.append(_load(path))
            done.append(_judge(name, spoken))
    graph = f"our generator, {backend}, windows in {windows} against whole in float32"
    return Report(graph=graph, groups=tuple(done))


def made_by(backend: str, windows: str) -> str:
    """A short name of all that decides how the same texts sound."""
    brought = files("firstword.kokoro.generator")
    told = hashlib.sha256(f"{RECIPE} {SIZES} {backend} {windows}".encode())
    for name in ("predictor.npz", "ranges.npz"):
        told.update(brought.joinpath(name).read_bytes())
    return told.hexdigest()[:12]


def both_ways(voice: KokoroVoice, utterance: Utterance) -> Fidelity:
    """The first piece of an utterance, streamed against whole, by a voice whose `decode` is streamed."""
    both = _speak(voice, utterance, heard=False)
    return compare(both.voice, both.whole, both.streamed)


def _save(both: _Both, path: Path) -> None:
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        np.savez(file, allow_pickle=False, **vars(both))
    half.rename(path)


def _load(path: Path) -> _Both:
    with np.load(path, allow_pickle=False) as stored:
        values = {name: stored[name] for name in stored.files if name != "voice"}
        return _Both(voice=str(stored["voice"]), **values)


def _utterances(group: str) -> Iterator[Utterance]:
    def said(text: str, voice: str, speed: float = 1.0) -> Utterance:
        return Utterance(text=text, options=VoiceOptions(voice=voice, speed=speed, language="en-us"))

    texts = corpus.sentences()
    match group:
        case "sentences":
            yield from (said(text, JUDGES[index % len(JUDGES)]) for index, text in enumerate(texts))
        case "unseen":
            yield from (said(text, _OTHERS[index % len(_OTHERS)]) for index, text in enumerate(corpus.unseen()))
        case "blends":
            yield from (said(texts[7 * index], _BLENDS[index % len(_BLENDS)]) for index in range(6))
        case "speed 0.5" | "speed 2.0":
            speed = float(group.removeprefix("speed "))
            yield from (said(texts[11 * index], JUDGES[2 * index], speed) for index in range(6))
        case "under 2 s":
            yield from short_ones(12)
        case "one word":
            yield from one_word_each()
        case "languages":
            yield from in_own_languages()
        case "every voice":
            yield from (said(texts[index % len(texts)], voice) for index, voice in enumerate(VOICES))


def _speak(voice: KokoroVoice, utterance: Utterance, *, heard: bool) -> _Both:
    prepared = prepare(voice, utterance)
    first, last = prepared.kept
    cancel = CancelToken()
    samples, true = prepared.generator.measure(prepared.source, prepared.style, cancel)
    foretold = prepared.generator.foretell(prepared.source, prepared.style)
    parts = list(prepared.generator.stretches(prepared.source, prepared.style, prepared.kept, cancel))
    whole, streamed = samples[first * SAMPLES_PER_STEP : last * SAMPLES_PER_STEP], np.concatenate(parts)
    both = [float_to_pcm(sound) for sound in (whole, streamed)] if heard else []
    return _Both(
        voice=utterance.options.voice,
        whole=whole,
        streamed=streamed,
        joins_s=(np.cumsum([len(part) for part in parts[:-1]]) / SAMPLE_RATE_HZ).astype(np.float32),
        errors=np.array(
            [
                np.mean(np.square(foretold.means - true.means) / (true.variances + _FLOOR)),
                np.mean(np.square(np.log((foretold.variances + _FLOOR) / (true.variances + _FLOOR)))),
            ],
            dtype=np.float32,
        ),
        misheard=np.array([word_error_rate(utterance.text, transcribe(pcm)) for pcm in both], dtype=np.float32),
        opinions=np.array([opinion(pcm).overall for pcm in both], dtype=np.float32),
    )


def _judge(name: str, spoken: Sequence[_Both]) -> Group:
    results = tuple(compare(both.voice, both.whole, both.streamed) for both in spoken)
    voices = sorted({result.voice for result in results})
    timbre = _third_octaves([both.streamed for both in spoken]) - _third_octaves([both.whole for both in spoken])
    faults = sum(len(find_faults(float_to_pcm(both.streamed), both.joins_s.tolist())) for both in spoken)
    heard = [both.misheard.tolist() for both in spoken if len(both.misheard)]
    return Group(
        name=name,
        figures=summary(results),
        joins=sum(len(both.joins_s) for both in spoken),
        faults=faults,
        faults_of_whole=sum(len(find_faults(float_to_pcm(both.whole))) for both in spoken),
        mean_error=float(np.mean([both.errors[0] for both in spoken])),
        variance_error=float(np.mean([both.errors[1] for both in spoken])),
        level_db_together=_level(spoken),
        timbre_db=float(np.sqrt(np.mean(np.square(timbre)))),
        timbre_db_most=float(np.abs(timbre).max()),
        word_error_rate=_means_of_both([both.misheard for both in spoken]),
        heard_worse=sum(streamed > whole for whole, streamed in heard),
        heard_better=sum(streamed < whole for whole, streamed in heard),
        dnsmos=_means_of_both([both.opinions for both in spoken]),
        by_voice={voice: summary([result for result in results if result.voice == voice]) for voice in voices},
        results=results,
    )


def _level(spoken: Sequence[_Both]) -> float:
    streamed, whole = (
        sum(float(np.sum(np.square(sound, dtype=np.float64))) for sound in sounds)
        for sounds in ([both.streamed for both in spoken], [both.whole for both in spoken])
    )
    return float(10 * np.log10((streamed + 1e-20) / (whole + 1e-20)))


def _means_of_both(scores: Sequence[Floats]) -> dict[str, float] | None:
    if not all(len(score) for score in scores):
        return None
    whole, streamed = (float(value) for value in np.mean(scores, axis=0))
    return {"whole": whole, "streamed": streamed}


def _third_octaves(sounds: Sequence[Floats]) -> NDArray[np.float64]:
    """Power of all the sounds together in third octaves from 100 Hz to 10 kHz, in dB."""
    power = np.sum([_power(sound) for sound in sounds], axis=0)
    frequencies = np.fft.rfftfreq(_FRAME, 1 / SAMPLE_RATE_HZ)
    centres = 1000 * 2.0 ** (np.arange(-10, 11) / 3)
    bands = [power[(frequencies >= at / 2 ** (1 / 6)) & (frequencies < at * 2 ** (1 / 6))].sum() for at in centres]
    return 10 * np.log10(np.array(bands) + 1e-20)


def _power(sound: Floats) -> NDArray[np.float64]:
    padded = np.pad(sound.astype(np.float64), (0, max(0, _FRAME - len(sound))))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FRAME)[:: _FRAME // 2] * np.hanning(_FRAME)
    power: NDArray[np.float64] = np.square(np.abs(np.fft.rfft(frames, axis=1))).sum(axis=0)
    return power
