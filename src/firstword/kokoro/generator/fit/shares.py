"""How much of the error of streamed decoding is each norm's: what the sound gains where its statistics are true."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from firstword.kokoro.generator.fit.collect import Prepared
from firstword.kokoro.generator.fit.judge import Fidelity, compare
from firstword.kokoro.generator.layout import NORMS, Norm
from firstword.kokoro.generator.predictor import Statistics
from firstword.kokoro.source import SAMPLES_PER_STEP
from firstword.kokoro.synthesizer import CancelToken

__all__ = ["shares"]


def shares(utterances: Iterable[Prepared], norms: Sequence[Norm] = NORMS) -> Mapping[str, Mapping[str, float]]:
    """By norm, mean over the utterances: the signal to noise gained, and by how much the sound grows softer, in dB."""
    gained: dict[str, list[tuple[float, float]]] = {norm.name: [] for norm in norms}
    for of in utterances:
        first, last = (SAMPLES_PER_STEP * step for step in of.kept)
        samples, true = of.generator.measure(of.source, of.style, CancelToken())
        foretold = of.generator.foretell(of.source, of.style)
        plain = _judged(of, foretold, samples[first:last])
        for norm in norms:
            means, variances = foretold.means.copy(), foretold.variances.copy()
            here = slice(norm.offset, norm.offset + norm.channels)
            means[here], variances[here] = true.means[here], true.variances[here]
            better = _judged(of, Statistics(means=means, variances=variances), samples[first:last])
            gained[norm.name].append((better.snr_db - plain.snr_db, plain.level_db - better.level_db))
    return {
        name: dict(zip(("snr_db", "softer_db"), np.mean(values, axis=0).tolist(), strict=True))
        for name, values in gained.items()
    }


def _judged(of: Prepared, statistics: Statistics, whole: NDArray[np.float32]) -> Fidelity:
    affine = of.generator.affine(of.style, statistics)
    return compare("", whole, np.concatenate(list(of.generator.pieces(of.source, affine, of.kept, CancelToken()))))
