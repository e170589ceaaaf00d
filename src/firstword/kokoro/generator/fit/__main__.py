"""`scripts/fit-predictor collect|solve|judge`: makes and judges the predictor. Prints JSON."""

import json
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL, sha256_of
from firstword.kokoro.generator.fit.collect import collect, speak
from firstword.kokoro.generator.fit.corpus import to_fit, to_judge
from firstword.kokoro.generator.fit.judge import compare, summary
from firstword.kokoro.generator.fit.solve import solve
from firstword.kokoro.generator.layout import CHANNELS
from firstword.kokoro.synthesis import KokoroVoice

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.command("collect")
def collect_command(
    into: Annotated[Path, typer.Argument(help="Directory that examples are added to, one file each.")],
    count: Annotated[int, typer.Option(help="Utterances in all; those already there are not made again.")] = 400,
) -> None:
    """Speak sentences by all voices and keep features and true statistics: a few seconds each."""
    into.mkdir(parents=True, exist_ok=True)
    made = len(list(into.glob("*.npz")))
    for index, example in enumerate(collect(_voice(), islice(to_fit(), made, count)), start=made):
        np.savez(
            into / f"{index:05d}.npz",
            features=example.features,
            inner_means=example.inner_means,
            statistics=example.means_and_variances,
        )
    print(json.dumps({"examples": max(made, count)}))


@app.command("solve")
def solve_command(
    examples: Path,
    output: Path,
    ridge: Annotated[float, typer.Option(help="Penalty, as a share of the mean diagonal.")] = 0.005,
    rank: Annotated[int, typer.Option(help="Rank that is kept.")] = 128,
) -> None:
    """Fit a predictor for the model in the asset cache to the examples and write it."""
    rows = [np.load(path) for path in sorted(examples.glob("*.npz"))]
    statistics = np.stack([row["statistics"] for row in rows])
    predictor = solve(
        np.stack([row["features"] for row in rows]),
        np.stack([row["inner_means"] for row in rows]),
        statistics[:, :CHANNELS],
        statistics[:, CHANNELS:],
        ridge=ridge,
        rank=rank,
        model_sha256=sha256_of(open_store(AssetSettings.load()).ensure() / MODEL),
    )
    predictor.save(output)
    print(json.dumps({"examples": len(rows), "bytes": output.stat().st_size}))


@app.command("judge")
def judge_command(count: Annotated[int, typer.Option(help="Utterances, over twelve voices.")] = 60) -> None:
    """Compare windowed with whole decoding on sentences that were not fitted on."""
    voice, results = _voice(), []
    for utterance in to_judge(count):
        spoken = speak(voice, utterance, windowed=True)
        results.append(compare(utterance.options.voice, spoken.whole, spoken.windowed))
    print(json.dumps({**summary(results), "results": [vars(result) for result in results]}))


def _voice() -> KokoroVoice:
    return KokoroVoice(VoiceSettings.load(decode="streamed"), AssetSettings.load())


if __name__ == "__main__":
    app()
