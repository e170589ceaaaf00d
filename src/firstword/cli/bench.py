"""`firstword bench`: the scenarios. A table on stderr; `--json` prints the result on stdout; `--plot` draws it."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from firstword.bench import report
from firstword.bench.scenario import result
from firstword.cli.bench_decoding import fidelity, generator, windows
from firstword.cli.bench_shown import Json, Plot, Trials, console, finish, progress_line
from firstword.cli.bench_text import chunker, spoken

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Measure. Every figure comes with its command.")

app.command()(chunker)
app.command()(spoken)
app.command()(fidelity)
app.command()(generator)
app.command()(windows)


@app.command()
def ttfa(
    via: Annotated[list[str] | None, typer.Option(help="websocket | deltas | invocations | sse | sagemaker")] = None,
    url: Annotated[str | None, typer.Option(help="A running speech server; without it one is started.")] = None,
    trials: Trials = 30,
    whole_message: Annotated[bool, typer.Option(help="A server that answers only when all is done.")] = False,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """First audio of a whole four-sentence text against its first sentence alone."""
    from firstword.bench import ttfa as scenario
    from firstword.bench.plots.bars import ttfa_bars
    from firstword.bench.targets import speech_targets

    routes = tuple(via or ("websocket", "deltas", "invocations", "sse"))

    async def measure() -> scenario.Ttfa:
        async with speech_targets(routes, url=url, whole_message=whole_message) as targets:
            with progress_line() as progress:
                return await scenario.run(targets, trials, progress)

    measured = asyncio.run(measure())
    rows = [
        (
            f"{item.route}, {item.text}",
            f"{item.first_byte_ms.median:.1f}",
            f"{item.first_audible_ms.median:.1f}",
            f"{item.mean_of_5_ms:.1f}",
        )
        for item in measured.variants
    ]
    head = ("route", "first byte ms", "first audible ms", "mean of 5 ms")
    parameters = {"routes": routes, "trials": trials, "whole_message": whole_message}
    finish(result("ttfa", parameters, measured), head, rows, as_json, plot, lambda: ttfa_bars(measured))
    console.print(f"whole text / first sentence: {measured.whole_over_first}")


@app.command()
def transport(plot: Plot = None, as_json: Json = False) -> None:
    """What each audio format costs: bytes, delay, processor time, words and sound; and how events are delivered."""
    from firstword.bench import transport as scenario
    from firstword.bench.delivery import measure_delivery
    from firstword.bench.plots.bars import transport_bars

    with progress_line() as progress:
        clips = scenario.speak_clips(progress)
        delivered = asyncio.run(measure_delivery(scenario.DELIVERED, progress))
        measured = scenario.measure_formats(clips, progress, delivery=delivered)
    rows = [
        (cost.format, cost.raw_bytes, cost.pcm_over_raw, cost.kbit_per_s, cost.base64_over_raw, cost.sse_20_ms_over_raw,
         cost.sse_200_ms_over_raw, cost.first_bytes_ms and cost.first_bytes_ms.median,
         cost.encode_ms_per_audio_s.median, cost.decoded_s, cost.word_error_rate, cost.dnsmos,
         cost.dnsmos_over_pcm.median)
        for cost in measured.formats
    ]  # fmt: skip
    head = ("format", "bytes", "PCM / it", "kbit/s", "base64 / it", "SSE 20 ms / it", "200 ms", "first ms", "CPU ms/s",
            "decoded s", "WER", "DNSMOS", "less PCM's")  # fmt: skip
    finish(result("transport", {}, measured), head, rows, as_json, plot, lambda: transport_bars(measured))
    told = [
        (f"{item.format}, {item.route}", item.events, item.pieces, item.cut_within, item.wire_over_payload)
        for item in measured.delivery
    ]
    names = ("one answer as events", "events", "pieces", "that end within one", "wire / payload")
    report.table("delivery", names, told, console)


@app.command()
def quality(
    voice: Annotated[str, typer.Option(help="Voice or blend to judge.")] = "af_heart",
    baseline: Annotated[Path | None, typer.Option(help="JSON of an earlier run: exit 1 on a regression.")] = None,
    asr: Annotated[str, typer.Option(help="whisper | transcribe:BUCKET (Amazon, needs an account).")] = "whisper",
    short: Annotated[bool, typer.Option("--short", help="Three sentences and a paragraph only.")] = False,
    plot: Plot = None,
    as_json: Json = False,
) -> int:
    """Words heard back, sound, joins and silence of 60 sentences and 10 paragraphs."""
    from firstword.bench import quality as scenario
    from firstword.bench.ears import open_ear
    from firstword.bench.plots.dots import quality_dots

    before = scenario.load_baseline(baseline) if baseline else None
    ear = open_ear(asr)
    with progress_line() as progress:
        measured = scenario.run(progress, voice, scenario.corpus_texts(short=short), ear)
    names = ("word_error_rate", "dnsmos", "dnsmos_p808", "loudness_dbfs", "silence_before_s", "silence_after_s",
             "audio_s", "joins", "faults")  # fmt: skip
    rows: list[tuple[Any, ...]] = [(name, getattr(measured, name)) for name in names]
    rows += [
        (f"seconds of “{text}” (reference {scenario.REFERENCE[text]:g})", seconds)
        for text, seconds in measured.reference_s.items()
    ]
    parameters = {"voice": voice, "asr": asr, "short": short}
    told = result("quality", parameters, measured)
    finish(told, ("figure", "value"), rows, as_json, plot, lambda: quality_dots(measured))
    worse = scenario.regressions(measured, before) if before else []
    for line in worse:
        console.print(f"regression: {line}")
    return int(bool(worse))


@app.command()
def emulator(
    trials: Trials = 1000,
    soak_s: Annotated[float, typer.Option(help="Also keep 50 streams busy on one connection for so long.")] = 0.0,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """What `firstword emulate` adds to a WebSocket: time per frame, time to open a stream, and whether it holds out."""
    from firstword.bench import emulator as scenario
    from firstword.bench.plots.bars import bars

    with progress_line() as progress:
        cost = asyncio.run(scenario.run(trials, progress))
        soaked = asyncio.run(scenario.soak(soak_s, progress)) if soak_s else None
    rows: list[tuple[Any, ...]] = [
        (item.route, f"{item.frame_ms.median:.2f}", f"{item.added_p50_ms:.2f}", f"{item.warm_open_ms.median:.1f}")
        for item in cost.routes
    ]
    rows.append(("direct WebSocket", f"{cost.direct_frame_ms.median:.2f}", "0", None))
    head = ("route", "frame ms", "added ms", "warm open ms")
    parameters = {"trials": trials, "soak_s": soak_s}
    shown = [("direct WebSocket", cost.direct_frame_ms), *((item.route, item.frame_ms) for item in cost.routes)]
    finish(result("emulator", parameters, {"cost": cost, "soak": soaked}), head, rows, as_json, plot,
            lambda: bars("A frame there and back", "milliseconds (median, 95 % interval)", shown))  # fmt: skip
    if soaked is not None:
        console.print(
            f"{soaked.frames} frames on {soaked.streams} streams in {soaked.seconds:g} s: {soaked.wrong} wrong, "
            f"p50 {soaked.frame_ms_p50:.1f} ms, p95 {soaked.frame_ms_p95:.1f} ms, memory {soaked.processes_mb} MB"
        )


@app.command()
def agent(
    words: Annotated[list[int] | None, typer.Option(help="60 | 150 | 300, any number of times")] = None,
    pace: Annotated[list[int] | None, typer.Option(help="Tokens a second, any number of times")] = None,
    packaged: Annotated[bool, typer.Option(help="Also the packaged model, at its own pace.")] = False,
    decode: Annotated[
        list[str] | None, typer.Option(help="auto | full | streamed, any number of times: side by side in one run")
    ] = None,
    openers: Annotated[
        bool, typer.Option("--openers", help="Instead: 25 beginnings, a clause against a sentence as first chunk.")
    ] = False,
    trials: Trials = 3,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Modes of the agent over answers of known length at a known pace."""
    if openers:
        _openers((pace or [30])[0], as_json)
        return
    from firstword.bench import agent as scenario
    from firstword.bench.plots.timeline import timeline
    from firstword.cli.demo import DEFAULT_PROMPT

    lengths, paces = tuple(words or (60, 150, 300)), tuple(pace or scenario.PACES)
    decodes = tuple(decode or (None,))

    async def measure() -> tuple[list[scenario.Cell], list[scenario.Recording]]:
        with progress_line() as progress:
            cells, recordings = await scenario.run(lengths, paces, trials, progress, decodes=decodes)
            if packaged:
                cell, more = await scenario.run_packaged(DEFAULT_PROMPT, trials, progress)
                cells, recordings = [*cells, cell], [*recordings, *more]
            return cells, recordings

    cells, recordings = asyncio.run(measure())
    rows = [
        (f"{cell.words or 'packaged model'} words, {cell.tokens_per_s or 'its own'} tokens/s, {cell.decode or 'auto'}",
         *(f"{cell.first_audio_ms[mode].median:.0f}" for mode in scenario.MODES), cell.batch_over_bidi,
         cell.whole_over_bidi, cell.underrun_ms["bidi"], cell.worst_underrun_ms["bidi"])
        for cell in cells
    ]  # fmt: skip
    head = ("answer", "bidi ms", "batch ms", "whole ms", "batch/bidi", "whole/bidi", "underrun ms", "worst")
    parameters = {"words": lengths, "paces": paces, "trials": trials, "decode": decode or ["default"]}
    last = [recording for mode in scenario.MODES for recording in recordings[-9:] if recording.mode == mode]
    shown = list({recording.mode: recording for recording in last}.values())
    finish(result("agent", parameters, cells), head, rows, as_json, plot, lambda: timeline(shown))


def _openers(tokens_per_s: int, as_json: bool) -> None:
    from firstword.bench import first_chunk as scenario

    with progress_line() as progress:
        policies = asyncio.run(scenario.run(tokens_per_s, progress))
    rows = [
        (item.policy, item.chunk_words, f"{item.after_chunk_ms.median:.0f}", f"{item.first_audio_ms.median:.0f}",
         item.underrun_ms, item.dnsmos, item.dnsmos_p808, f"{item.word_error_rate:.3f}", item.faults, item.audio_s)
        for item in policies
    ]  # fmt: skip
    head = ("first chunk", "words", "first audio after its last token ms", "after agent_start ms", "underrun ms",
            "DNSMOS", "P.808", "WER", "faults", "audio s")  # fmt: skip
    finish(result("openers", {"tokens_per_s": tokens_per_s}, policies), head, rows, as_json, None, None)


@app.command()
def peers(trials: Trials = 5, plot: Plot = None, as_json: Json = False) -> None:
    """The same texts through other Kokoro programs: same weights, same threads, same run."""
    from firstword.bench import peers as scenario
    from firstword.bench.plots.bars import bars

    with progress_line() as progress:
        measured = asyncio.run(scenario.run(trials, progress))
    rows = [
        (f"{item.system}, {item.text}", f"{item.first_audio_ms.median:.0f}", f"{item.first_audible_ms.median:.0f}",
         f"{item.real_time_factor.median:.2f}", item.audio_s, f"{item.resident_mb:.0f}", f"{item.peak_mb:.0f}")
        for item in measured.figures
    ]  # fmt: skip
    head = ("system", "first audio ms", "first audible ms", "real-time factor", "audio s", "resident MB", "peak MB")
    heard = [(f"{item.system}\n{item.text}", item.first_audible_ms) for item in measured.figures]
    finish(result("peers", {"trials": trials}, measured), head, rows, as_json, plot,
            lambda: bars("First audible sound beside a peer", "milliseconds from the call", heard))  # fmt: skip
    console.print(f"a peer's first audible sound / ours: {measured.sooner}")
    console.print(f"a peer's real-time factor / ours: {measured.real_time_factor_over_ours}")


@app.command("first-sound")
def first_sound(
    trials: Trials = 5,
    listeners: Annotated[int, typer.Option(min=1, max=10, help="More than 1: so many at once on one voice.")] = 1,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """First sound against sentence length: whole, streamed and a peer, in one run; or of several listeners at once."""
    if listeners > 1:
        _listeners(listeners, trials, as_json)
        return
    from firstword.bench import first_sound as scenario
    from firstword.bench.plots.lines import first_sound_lines

    with progress_line() as progress:
        measured = asyncio.run(scenario.run(trials, progress))
    rows = [
        (f"{point.way}, {point.audio_s:.1f} s", f"{point.first_audible_ms.median:.0f}",
         f"{point.real_time_factor.median:.2f}")
        for point in measured.points
    ]  # fmt: skip
    head = ("decode, sentence", "first audible ms", "real-time factor")
    told = result("first-sound", {"trials": trials}, measured, measured.absent)
    finish(told, head, rows, as_json, plot, lambda: first_sound_lines(measured))
    for way, ratios in measured.over_streamed.items():
        console.print(f"{way} / streamed: {ratios}")
    for text in measured.fidelity:
        console.print(f"streamed against whole, {text.seconds:.1f} s: {text.snr_db:.1f} dB signal to noise, "
                      f"log-spectral distance {text.distance_db:.2f} dB, level {text.level_db:+.2f} dB")  # fmt: skip


def _listeners(listeners: int, trials: int, as_json: bool) -> None:
    from firstword.bench import listeners as scenario

    with progress_line() as progress:
        measured = scenario.run(listeners, trials, progress)
    rows = [
        (crowd.order, f"{crowd.worst_first_audio_ms.median:.0f}", *(
            " ".join(f"{value:.0f}" for value in figures)
            for figures in (crowd.first_audio_ms, crowd.underrun_ms, crowd.underruns)
        ))
        for crowd in measured.crowds
    ]  # fmt: skip
    head = ("order", "last first audio ms", "first audio ms", "underrun ms", "underruns")
    finish(result("listeners", {"listeners": listeners, "trials": trials}, measured), head, rows, as_json, None, None)
    console.print(f"last first audio / one alone: {measured.worst_over_alone}")
    console.print(f"longest step, ms: {measured.longest_step_ms}; real-time factor {measured.real_time_factor}")


@app.command()
def page(
    trials: Trials = 30,
    busy: Annotated[
        int, typer.Option(min=0, help="Instead: whole answers of the real voice beside so many busy loops.")
    ] = 0,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """What the browser adds to the agent's own first audio, and how soon a stop is silent."""
    from firstword.bench import page as scenario
    from firstword.bench.plots.bars import bars

    if busy:
        return _page_load(busy, trials, as_json)
    with progress_line() as progress:
        measured = scenario.run(trials, progress)
    rows = [
        (cost.door, *(f"{summary.median:.1f}" for summary in (cost.added_rendered_ms, cost.added_audible_ms,
         cost.silence_rendered_ms, cost.silence_audible_ms)), cost.stalls)
        for cost in measured
    ]  # fmt: skip
    head = ("door", "added, rendered ms", "added, audible ms", "stop, rendered ms", "stop, audible ms", "stalls")
    shown = [(cost.door, cost.added_rendered_ms) for cost in measured]
    finish(result("page", {"trials": trials}, measured), head, rows, as_json, plot,
            lambda: bars("Click to first sample, less the agent's own first audio", "milliseconds", shown))  # fmt: skip
    for line in scenario.BARS:
        typer.echo(line, err=True)
    return None


def _page_load(busy: int, trials: int, as_json: bool) -> None:
    from firstword.bench import page_load

    with progress_line() as progress:
        measured = page_load.run(busy, trials, progress)
    rows = [
        (told.door, f"{told.audio_s:.2f}", "yes" if told.whole else "NO", told.page_stalls, told.server_stalls,
         f"{told.server_silence_ms:.0f}", told.device_underruns)
        for told in measured
    ]  # fmt: skip
    head = ("door", "audio s", "all played", "stalls: page", "stalls: server", "server late ms", "device ran dry")
    finish(result("page-load", {"busy": busy, "trials": trials}, measured), head, rows, as_json, None, None)
