"""`scripts/fit-predictor collect|solve|judge|compare|shares|ranges|body-collect|body|body-times`. Prints JSON.

Makes and judges the predictor; the last three try the body in windows.
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL, sha256_of
from firstword.kokoro.backends import open_backend
from firstword.kokoro.generator.features import features
from firstword.kokoro.generator.fit.alternatives import WAYS, Alternatives
from firstword.kokoro.generator.fit.body.graph import BodyWeights
from firstword.kokoro.generator.fit.body.spoken import Body, collect_body, load_body, save_body, speak
from firstword.kokoro.generator.fit.body.times import TIMED, body_times
from firstword.kokoro.generator.fit.body.ways import BODY_WAYS, SWITCH_WINDOWS, BodyWays, fit_all
from firstword.kokoro.generator.fit.collect import collect, load, prepare, save
from firstword.kokoro.generator.fit.corpus import Utterance, to_fit, to_judge
from firstword.kokoro.generator.fit.early import write_early
from firstword.kokoro.generator.fit.judge import compare, summary
from firstword.kokoro.generator.fit.ranges import measure_ranges
from firstword.kokoro.generator.fit.shares import shares
from firstword.kokoro.generator.fit.solve import solve
from firstword.kokoro.generator.ranges import save_ranges
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.generator.whole_graph import write_whole_graph
from firstword.kokoro.generator.windows import SIZES
from firstword.kokoro.inference import Inference, thread_count
from firstword.kokoro.source import SAMPLES_PER_STEP
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.command("collect")
def collect_command(
    into: Annotated[Path, typer.Argument(help="Directory that examples are added to, one file each.")],
    count: Annotated[int, typer.Option(help="Utterances in all; those already there are not made again.")] = 6000,
    share: Annotated[str, typer.Option(help="0/2 and 1/2 are the halves that two processes make.")] = "0/1",
) -> None:
    """Speak texts by all voices and keep the generator's input and true statistics: a second or two each."""
    part, _, of = share.partition("/")
    into.mkdir(parents=True, exist_ok=True)
    voice, digest, made = _voice(threads=1), sha256_of(_model()), 0
    for index, utterance in enumerate(islice(to_fit(), count)):
        path = into / f"{index:05d}.npz"
        if index % int(of) == int(part) and not path.exists():
            save(collect(voice, utterance, digest), path)
            made += 1
    print(json.dumps({"made": made, "examples": len(list(into.glob("*.npz")))}))


@app.command("solve")
def solve_command(
    examples: Path,
    output: Path,
    ridge: Annotated[float, typer.Option(help="Penalty, added to how alike an utterance is to itself, 1.")] = 0.001,
    rank: Annotated[int, typer.Option(help="Rank that is kept.")] = 384,
    directions: Annotated[int, typer.Option(help="Of the features that utterances are compared by.")] = 512,
    points: Annotated[int, typer.Option(help="Utterances that others are compared with.")] = 2400,
) -> None:
    """Fit a predictor for the model in the asset cache to the examples and write it."""
    digest, told = sha256_of(_model()), []
    for path in sorted(examples.glob("*.npz")):
        row = load(path)
        if row.model_sha256 != digest:
            raise typer.BadParameter(f"{path} is of another model than the one in the asset cache.")
        told.append((features(row.source, row.style), row.inner_means, row.statistics.means, row.statistics.variances))
    if not told:
        raise typer.BadParameter(f"{examples} holds no examples. Make some: scripts/fit-predictor collect {examples}")
    columns = (np.stack(column) for column in zip(*told, strict=True))
    predictor = solve(*columns, ridge=ridge, rank=rank, directions=directions, points=points, model_sha256=digest)
    predictor.save(output)
    print(json.dumps({"examples": len(told), "bytes": output.stat().st_size}))


@app.command("judge")
def judge_command(count: Annotated[int, typer.Option(help="Utterances, over twelve voices.")] = 60) -> None:
    """Compare windowed with whole decoding on sentences that were not fitted on.

    `firstword bench fidelity` does so by another corpus, and hears them too.
    """
    voice, results = _voice(), []
    for utterance in to_judge(count):
        prepared = prepare(voice, utterance)
        generator, source, style = prepared.generator, prepared.source, prepared.style
        whole = generator.whole(source, style, CancelToken())
        windowed = np.concatenate(list(generator.stretches(source, style, (0, source.steps), CancelToken())))
        results.append(compare(utterance.options.voice, whole, windowed))
    print(json.dumps({**summary(results), "results": [vars(result) for result in results]}))


@app.command("compare")
def compare_command(count: Annotated[int, typer.Option(help="Utterances, over twelve voices.")] = 12) -> None:
    """Foretelling against the other ways to know the statistics, or to do without: fidelity and time, in one run."""
    voice = _voice()
    threads = thread_count(VoiceSettings.load().threads)
    with _measuring() as (whole, early):
        ways = Alternatives(whole, early, early.parent, lambda path: Inference(path, threads=threads))
        trials = [
            trial
            for utterance in to_judge(count)
            for trial in ways.try_all(utterance.options.voice, prepare(voice, utterance))
        ]
    for way in WAYS:
        of = [trial for trial in trials if trial.way == way]
        wait = [trial.statistics_ms + trial.first_window_ms for trial in of]
        print(json.dumps({"way": way, **summary([trial.fidelity for trial in of]), "wait_ms_median": np.median(wait)}))
    print(json.dumps([{**vars(trial), "fidelity": vars(trial.fidelity)} for trial in trials]))


@app.command("shares")
def shares_command(count: Annotated[int, typer.Option(help="Utterances, over twelve voices.")] = 12) -> None:
    """How much of the error of streamed decoding is each norm's."""
    voice = _voice()
    print(json.dumps(shares(prepare(voice, utterance) for utterance in to_judge(count))))


@app.command("ranges")
def ranges_command(
    output: Path,
    count: Annotated[int, typer.Option(help="Utterances, over all voices.")] = 120,
    share: Annotated[int, typer.Option(help="Every so many of the texts that are fitted on.")] = 3,
) -> None:
    """Measure what the first stage's convolutions are given and make, for int8, and write it."""
    voice, weights = _voice(), Weights(_model())
    spoken = (prepare(voice, utterance) for utterance in islice(to_fit(), 0, count * share, share))
    with tempfile.TemporaryDirectory(prefix="firstword-fit-") as home:
        threads = thread_count(VoiceSettings.load().threads)
        ranges = measure_ranges(weights, spoken, Path(home), threads=threads)
    save_ranges(ranges, sha256_of(_model()), output)
    print(json.dumps({"utterances": count, "bytes": output.stat().st_size}))


@app.command("body-collect")
def body_collect_command(
    into: Annotated[Path, typer.Argument(help="Directory that examples are added to, below the model's digest.")],
    count: Annotated[int, typer.Option(help="Utterances in all; those already there are not made again.")] = 1500,
    share: Annotated[str, typer.Option(help="0/2 and 1/2 are the halves that two processes make.")] = "0/1",
) -> None:
    """Speak texts by all voices and keep the body's input, and the true statistics of body and generator."""
    part, _, of = share.partition("/")
    home = _of_model(into)
    home.mkdir(parents=True, exist_ok=True)
    voice, made = _voice(threads=1), 0
    with _bodies("onnxruntime", threads=1) as bodies:
        for index, utterance in enumerate(islice(to_fit(), count)):
            path = home / f"{index:05d}.npz"
            if index % int(of) == int(part) and not path.exists():
                save_body(collect_body(bodies["onnxruntime"], speak(voice, utterance))[0], path)
                made += 1
    print(json.dumps({"made": made, "examples": len(list(home.glob("*.npz")))}))


@app.command("body")
def body_command(
    examples: Annotated[Path, typer.Argument(help="Directory that body-collect added to.")],
    count: Annotated[int, typer.Option(help="Utterances, over twelve voices.")] = 24,
) -> None:
    """The body in windows, by foretold statistics, against the body run whole: fidelity, all of it and the start."""
    told = [load_body(path) for path in sorted(_of_model(examples).glob("*.npz"))]
    if not told:
        raise typer.BadParameter(f"{examples} holds no examples of this model: scripts/fit-predictor body-collect.")
    voice = _voice()
    threads = thread_count(VoiceSettings.load().threads)
    with (
        _bodies("onnxruntime", threads=threads) as bodies,
        tempfile.TemporaryDirectory(prefix="firstword-fit-") as home,
    ):
        body = bodies["onnxruntime"]
        foretellers, settings = fit_all(body, told)
        for name, (chosen, error) in settings.items():
            print(json.dumps({"foretold": name, "examples": len(told), **vars(chosen), "error": error}))
        load = partial(Inference, threads=threads)
        ways = BodyWays(body, foretellers, Weights(_model()), Path(home), load)
        judged = [(utterance, ways.decode(speak(voice, utterance))) for utterance in to_judge(count)]
    start = SAMPLES_PER_STEP * sum(SIZES[:SWITCH_WINDOWS])
    for way in BODY_WAYS:
        for part, to in (("all", None), ("two windows", start)):
            results = [compare(of.options.voice, it.whole[:to], it.ways[way][:to]) for of, it in judged]
            print(json.dumps({"way": way, "part": part, **summary(results)}))


@app.command("body-times")
def body_times_command(turns: Annotated[int, typer.Option(help="Of each, in turn; medians are told.")] = 9) -> None:
    """The body whole against its first window, by sentence length and library: milliseconds."""
    libraries = ("onnxruntime", "openvino") if find_spec("openvino") else ("onnxruntime",)
    voice = _voice()
    with _bodies(*libraries, threads=thread_count(VoiceSettings.load().threads)) as bodies:
        for text in TIMED:
            spoken = speak(voice, Utterance(text=text, options=VoiceOptions(trim=False)))
            print(json.dumps(vars(body_times(voice, spoken, text, bodies, turns))), flush=True)


@contextmanager
def _bodies(*libraries: str, threads: int) -> Iterator[dict[str, Body]]:
    """The body by our own graphs, by the name of the library."""
    weights = BodyWeights(_model())
    with tempfile.TemporaryDirectory(prefix="firstword-fit-") as home:
        yield {name: Body(weights, Path(home), open_backend(name, threads).generator) for name in libraries}


def _of_model(directory: Path) -> Path:
    """So that examples of another model are not taken for this one's."""
    return directory / sha256_of(_model())[:16]


@contextmanager
def _measuring() -> Iterator[tuple[Path, Path]]:
    """The graph that measures everything and the one of the first stage alone, written anew."""
    with tempfile.TemporaryDirectory(prefix="firstword-fit-") as home:
        whole, early = Path(home) / "whole.onnx", Path(home) / "early.onnx"
        write_whole_graph(Weights(_model()), whole)
        write_early(whole, early)
        yield whole, early


def _model() -> Path:
    return open_store(AssetSettings.load()).ensure() / MODEL


def _voice(threads: int = 0) -> KokoroVoice:
    """Always the same, whatever else is installed or was tuned: true statistics are those of float32."""
    settings = VoiceSettings.load(
        decode="streamed", backend="onnxruntime", windows="float32", threads=threads, tuned=False
    )
    return KokoroVoice(settings, AssetSettings.load())


if __name__ == "__main__":
    app()
