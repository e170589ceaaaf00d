"""Write docs/benchmarks/README.md from the results of scripts/measure, so that no figure is copied by hand."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from firstword.kokoro.tuning import Choice

ROOT = Path(__file__).resolve().parent.parent / "docs" / "benchmarks"
RESULTS = ROOT / "results"

HEAD = """# Benchmarks

Written by `scripts/benchmarks_page.py` from `results/*.json`, which `scripts/measure` makes. Each section names the command
that repeats it. Two cores are shared with others here: read ratios and medians of one run, not single times.

Rules: the clock starts when the request is sent (or, for the agent, when `agent_start` is received); connecting is a line
of its own; warm-ups are dropped; variants are interleaved; an underrun assumes a listener without a prebuffer; intervals are
distribution-free at 95 %; p95 only from 100 samples. “Audible” is the first 10 ms above -45 dBFS at the listener.
"""

TAIL = """## Not measured here

- On AWS: no account was at hand. Where a route is called SageMaker it is `firstword emulate` on loopback, which adds its own
  cost and no distance. Amazon Transcribe (`bench quality --asr transcribe:BUCKET`) is written and was not run.
- On a GPU: none was at hand (`scripts/gpu-check` is what to run on one).
- More than two threads: there were two cores. `bench generator` takes as many as there are and compares two lanes with one, `doctor --tune`
  all of them with half, waiting or spinning.
- Kokoro programs on PyTorch: their weights cannot be had here. kokoro-onnx has the same weights as ours.
- Listeners: quality is what Whisper and DNSMOS say of it. No people were asked.
"""


def main() -> None:
    (ROOT / "README.md").write_text(written(), encoding="utf-8")


def written() -> str:
    """The page, from whatever results there are."""
    parts = [HEAD]
    for name, title, section in SECTIONS:
        path = RESULTS / name
        if path.exists():
            parts.append(f"## {title}\n\n{section(json.loads(path.read_text()))}")
        else:
            parts.append(f"## {title}\n\nNo result of a whole run is kept.\n")
    parts.append(TAIL)
    return "\n".join(parts)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(shown(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def shown(cell: object) -> str:
    if cell is None:
        return "–"
    return (
        f"{cell:.3g}"
        if isinstance(cell, float) and abs(cell) < 10
        else (f"{cell:.0f}" if isinstance(cell, float) else str(cell))
    )


def origin(result: dict[str, Any]) -> str:
    """`note`, written into a result by hand, says what its machine's description does not."""
    machine = result["machine"]
    load = machine["load_average"][0]
    special = [name for name in machine.get("instructions", ()) if "bf16" in name or "vnni" in name]
    kind = f" ({', '.join(special)})" if special else ""
    note = f" {result['note']}" if "note" in result else ""
    return (
        f"`uv run {result['command']}`, {result['date']}, {machine['processor']}{kind}, {machine['cores']} cores, "
        f"load {load} at the end.{note}\n\n"
    )


def demo(result: dict[str, Any]) -> str:
    modes = [mode for mode in ("bidi", "batch", "whole") if any(t["mode"] == mode for t in result["trials"])]

    def median(figure: str, mode: str) -> float | None:
        values = sorted(t[figure] for t in result["trials"] if t["mode"] == mode and t[figure] is not None)
        return values[len(values) // 2] if values else None

    figures = ("first_text_ms", "first_sentence_ms", "first_audio_ms", "first_audible_ms", "text_end_ms", "audio_end_ms",
               "underrun_ms", "audio_s")  # fmt: skip
    rows = [(figure, *(median(figure, mode) for mode in modes)) for figure in figures]
    machine = result["machine"]
    return (
        f"`uv run firstword demo --trials {len(result['trials']) // max(1, len(modes))}`, {machine['processor']}, "
        f"{machine['cores']} cores, load {machine['load_average'][0]} at the end. Medians.\n\n"
        + table(("", *modes), rows)
        + f"\nFirst audio: batch / bidi {shown(result['ratio'])}, whole / bidi {shown(result['ratio_whole'])}. A small local "
        "model writes fast, which leaves little to overlap: with a model at 30 tokens a second see the next section.\n\n"
        "![timeline](results/demo/timeline.png)\n"
    )


def agent(result: dict[str, Any]) -> str:
    rows = []
    for cell in result["results"]:
        first = cell["first_audio_ms"]
        rows.append(
            (
                f"{cell['words'] or 'packaged model'} words, {cell['tokens_per_s'] or 'own pace'}, "
                f"{cell.get('decode') or 'auto'}",
                *(float(first[mode]["median"]) for mode in ("bidi", "batch", "whole")),
                cell["batch_over_bidi"],
                cell["whole_over_bidi"],
                float(cell["underrun_ms"]["bidi"]),
                float(cell["worst_underrun_ms"]["bidi"]),
            )
        )
    head = ("answer, tokens/s, decode", "bidi ms", "batch ms", "whole ms", "batch / bidi", "whole / bidi", "bidi underrun ms",
            "worst")  # fmt: skip
    return origin(result) + table(head, rows) + "\n![timeline](results/agent.png)\n"


def ttfa(result: dict[str, Any]) -> str:
    rows = []
    for item in result["results"]["variants"]:
        byte, audible = item["first_byte_ms"], item["first_audible_ms"]
        interval = f"{shown(audible['low'])} to {shown(audible['high'])}"
        rows.append((item["route"], item["text"], byte["median"], audible["median"], interval, item["mean_of_5_ms"]))
    head = ("route", "text", "first byte ms", "first audible ms", "95 %", "mean of 5 ms")
    ratios = ", ".join(f"{route} {shown(value)}" for route, value in result["results"]["whole_over_first"].items())
    connecting = ", ".join(f"{route} {value} ms" for route, value in result["results"]["connect_ms"].items())
    picture = "ttfa-whole-message" if result["parameters"]["whole_message"] else "ttfa"
    told = (
        f"\nWhole text / first sentence: {ratios}. Connecting: {connecting}.\n\n![first audio](results/{picture}.png)\n"
    )
    return origin(result) + table(head, rows) + told


def transport(result: dict[str, Any]) -> str:
    told = result["results"]
    rows = [
        (
            cost["format"],
            cost["raw_bytes"],
            f"{cost['pcm_over_raw']:.2f}",
            cost["kbit_per_s"],
            f"{cost['base64_over_raw']:.4f}",
            f"{cost['sse_20_ms_over_raw']:.2f}",
            f"{cost['sse_200_ms_over_raw']:.2f}",
            cost["first_bytes_ms"] and cost["first_bytes_ms"]["median"],
            cost["encode_ms_per_audio_s"]["median"],
            f"{cost['decoded_s']:.2f}",
            f"{100 * cost['word_error_rate']:.1f} %",
            f"{cost['dnsmos']:.2f}",
            f"{cost['dnsmos_over_pcm']['median']:+.3f} ({interval(cost['dnsmos_over_pcm'])})",
        )
        for cost in told["formats"]
    ]
    head = ("format", "bytes", "PCM / it", "kbit/s", "base64 / it", "SSE of 20 ms / it", "SSE of 200 ms / it",
            "audio before first bytes ms", "CPU ms per s", "decoded s", "WER", "DNSMOS", "less PCM's, clip by clip")  # fmt: skip
    delivery = [
        (item["format"], item["route"], item["events"], item["pieces"], item["cut_within"],
         f"{item['wire_over_payload']:.2f}")
        for item in told["delivery"]
    ]  # fmt: skip
    names = ("format", "route", "events", "pieces", "pieces that end within an event", "wire bytes / payload")
    return (
        origin(result)
        + f"{told['clips']} clips, {told['words']} words, {told['audio_s']} s, {told['pcm_bytes']} bytes of PCM.\n\n"
        + table(head, rows)
        + (f"\nNot measured: {', '.join(result['not_measured'])}.\n" if result["not_measured"] else "")
        + "\nSSE: complete `audio_chunk` events as the server writes them, envelope and base64 included: small events cost "
        "far more than a third, so batch them. One answer of four sentences as events, as its reader got it:\n\n"
        + table(names, delivery)
        + "\n![bytes by format](results/transport.png)\n"
    )


def interval(summary: dict[str, Any]) -> str:
    return f"{summary['low']:+.3f} to {summary['high']:+.3f}" if summary["low"] is not None else "–"


def quality(result: dict[str, Any]) -> str:
    told = result["results"]
    names = ("word_error_rate", "dnsmos", "dnsmos_p808", "loudness_dbfs", "silence_before_s", "silence_after_s", "audio_s",
             "joins", "faults")  # fmt: skip
    rows: list[Sequence[object]] = [(name, str(told[name])) for name in names]
    rows += [
        (f"seconds of “{text}”", f"{value} ({told['reference_off'][text]:+.1%} of the public figure)")
        for text, value in told["reference_s"].items()
    ]
    return (
        origin(result)
        + f"{len(told['utterances'])} texts, voice {told['voice']}, heard by Whisper tiny.en. `--baseline` compares with "
        "`docs/benchmarks/quality-baseline.json` (made anew by `scripts/measure quality-baseline`). Amazon Transcribe was "
        "not run: no account.\n\n"
        + table(("figure", "value"), rows)
        + "\n![figures of every text](results/quality.png)\n"
    )


def peers(result: dict[str, Any]) -> str:
    rows = [
        (item["system"], item["text"], item["first_audio_ms"]["median"], item["first_audible_ms"]["median"],
         f"{item['real_time_factor']['median']:.3f}", item["resident_mb"], item["peak_mb"])
        for item in result["results"]["figures"]
    ]  # fmt: skip
    told = result["results"]
    sooner = ", ".join(f"{name} {shown(value)}" for name, value in told["sooner"].items())
    factor = ", ".join(f"{name} {shown(value)}" for name, value in told["real_time_factor_over_ours"].items())
    versions = "; ".join(sorted({" with ".join(map(" ".join, item["versions"].items())) for item in told["figures"]}))
    head = ("system", "text", "first audio ms", "first audible ms", "real-time factor", "resident MB", "peak MB")
    return (
        origin(result)
        + table(head, rows)
        + f"\nA peer's first audible sound / ours: {sooner}. Its real-time factor / ours: {factor}. Both have the packaged "
        f"int8 weights and {told['threads']} threads; ours runs behind a real session on loopback, the peer is called as "
        f"a library. Versions: {versions}. Other Kokoro programs were not measured: those on PyTorch need weights that "
        "cannot be had here.\n\n![first audible sound](results/peers.png)\n"
    )


def first_sound(result: dict[str, Any]) -> str:
    measured = result["results"]
    rows = [
        (point["way"], point["audio_s"], point["first_audible_ms"]["median"], point["real_time_factor"]["median"])
        for point in measured["points"]
    ]
    told = table(("decode, or peer", "sentence, s", "first audible ms", "real-time factor"), rows)
    for way, ratios in measured["over_streamed"].items():
        told += f"\n{way} / streamed: {', '.join(f'{name} {shown(value)}' for name, value in ratios.items())}.\n"
    if measured["fidelity"]:
        figures = ("seconds", "snr_db", "distance_db", "level_db")
        told += "\nStreamed against whole, the same sentences (the first piece), by the same graph:\n\n" + table(
            ("sentence, s", "SNR dB", "log-spectral distance dB", "level dB"),
            ([text[name] for name in figures] for text in measured["fidelity"]),
        )
    if result["not_measured"]:
        told += f"\nNot to be had here, so not measured: {', '.join(result['not_measured'])}.\n"
    return origin(result) + told


def aims(_here: dict[str, Any]) -> str:
    """What was aimed at beside what was measured on every machine that was at hand."""
    columns = [_aimed(RESULTS / place) for place in MACHINES]
    rows = [(name, aim, *(column.get(name) for column in columns)) for name, aim in AIMS.items()]
    return (
        "For sentences of 2, 4, 8 and 16 s where there are four figures; quality is that of the 60 sentences, then of 60 that nobody had looked at. The processor of this page has AVX512_BF16 and VNNI; the faster one "
        "has the same and AVX_VNNI, and was measured before [int8 convolutions became products](../decisions/0038-int8-products.md) "
        "and before [windows grew](../decisions/0039-growing-windows.md); the older one has AVX2 and neither, was measured before [windows became shorter](../decisions/0036-shorter-windows.md), and misses "
        "the first two lines but for the longest sentence. Four listeners there: 1,828 ms, of which no file is kept.\n\n"
        + table(("", "aim", *MACHINES.values()), rows)
    )


def _aimed(place: Path) -> dict[str, str]:
    """The figures of one machine by their line, as far as it has results."""

    def of(name: str) -> Any:
        path = place / f"{name}.json"
        return json.loads(path.read_text())["results"] if path.exists() else None

    told: dict[str, str] = {}
    if (first := of("first-sound")) is not None:
        told |= _first_sound_aimed(first)
    if (openers := of("openers")) is not None:
        told["first audio in the agent after the chunk's last token, clause / sentence first, ms"] = _all_of(
            chunk["after_chunk_ms"]["median"] for chunk in openers
        )
    if (listeners := of("listeners")) is not None:
        crowd = next(one for one in listeners["crowds"] if one["order"] == "deadline order")
        told["last first audio of four listeners, ms"] = shown(crowd["worst_first_audio_ms"]["median"])
    if (agent := of("agent")) is not None:
        cell = next(cell for cell in agent if cell["decode"] == "auto")
        told["agent, 150 words at 30 tokens a second, batch / bidi and whole / bidi"] = _all_of(
            (cell["batch_over_bidi"], cell["whole_over_bidi"])
        )
    if (fidelity := of("fidelity")) is not None:
        both = [_fidelity_aimed(group) for group in fidelity["groups"] if group["name"] in ("sentences", "unseen")]
        told |= {name: "; ".join(group[name] for group in both) for name in both[0]}
    return told


def _first_sound_aimed(measured: dict[str, Any]) -> dict[str, str]:
    def points(way: str, figure: str) -> list[float]:
        return [point[figure]["median"] for point in measured["points"] if point["way"] == way]

    factors = zip(points("streamed", "real_time_factor"), points("full", "real_time_factor"), strict=True)
    return {
        "first audible sound, best library, ms": _all_of(points("streamed, OpenVINO", "first_audible_ms")),
        "the same by onnxruntime alone": _all_of(points("streamed", "first_audible_ms")),
        "full / streamed, 8 s, times": _all_of(list(measured["over_streamed"]["full"].values())[2:3]),
        "real-time factor, best library": _all_of(points("streamed, OpenVINO", "real_time_factor")),
        "real-time factor, streamed / full": _all_of(streamed / full for streamed, full in factors),
    }


def _fidelity_aimed(group: dict[str, Any]) -> dict[str, str]:
    figures = group["figures"]
    beyond = sum(abs(one["level_db"]) > 0.5 for one in group["results"])
    levels = (group["level_db_together"], figures["level_db_median"], figures["level_db_worst"])
    return {
        "signal to noise, median dB": shown(figures["snr_db_median"]),
        "log-spectral distance, median / worst dB": _all_of(
            (figures["distance_db_median"], figures["distance_db_worst"])
        ),
        "level, together / median / worst sentence, dB": f"{_all_of(levels)} ({beyond} of {len(group['results'])} beyond)",
        "words heard wrong, streamed / whole": " / ".join(
            f"{group['word_error_rate'][way]:.2%}" for way in ("streamed", "whole")
        )
        + _heard_otherwise(group),
        "DNSMOS, streamed / whole": " / ".join(f"{group['dnsmos'][way]:.3f}" for way in ("streamed", "whole")),
        "faults at window edges": f"{group['faults']} of {group['joins']}",
    }


def _heard_otherwise(group: dict[str, Any]) -> str:
    """Of how many sentences the words were heard otherwise; nothing where it was not yet counted."""
    if "heard_worse" not in group:
        return ""
    return f" ({group['heard_worse']} of {len(group['results'])} heard worse, {group['heard_better']} better)"


def _all_of(values: Iterable[float]) -> str:
    return " / ".join(shown(float(value)) for value in values) or "–"


MACHINES = {".": "this processor", "faster": "a faster one", "older": "an older one"}
"""Where results of other machines are kept below `RESULTS`, and what they are called."""
AIMS = {
    "first audible sound, best library, ms": "200 / 250 / 400 / 700",
    "the same by onnxruntime alone": "300 / 375 / 600 / 1050",
    "full / streamed, 8 s, times": "5",
    "real-time factor, best library": "0.25",
    "real-time factor, streamed / full": "1.25",
    "first audio in the agent after the chunk's last token, clause / sentence first, ms": "250",
    "last first audio of four listeners, ms": "1500",
    "signal to noise, median dB": "14",
    "log-spectral distance, median / worst dB": "2.5 / 6",
    "level, together / median / worst sentence, dB": "0.5",
    "words heard wrong, streamed / whole": "equal",
    "DNSMOS, streamed / whole": "within 0.05",
    "agent, 150 words at 30 tokens a second, batch / bidi and whole / bidi": "4 and 10",
    "faults at window edges": "0",
}


def first_sound_with_plot(result: dict[str, Any]) -> str:
    return first_sound(result) + "\n![first sound](results/first-sound.png)\n"


def generator(result: dict[str, Any]) -> str:
    rows = [
        (way["name"], way["first_part_ms"]["median"], way["real_time_factor"]["median"],
         *((way["figures"][name] for name in ("snr_db_median", "distance_db_median", "level_db_median"))
           if way["figures"] else ("–", "–", "–")))
        for way in result["results"]["ways"]
    ]  # fmt: skip
    head = (
        "library, form",
        "first window (or whole) ms",
        "real-time factor",
        "SNR dB",
        "log-spectral distance dB",
        "level dB",
    )
    absent = "; ".join(result["not_measured"])
    text = (
        f"\n{result['parameters']['utterances']} sentences, medians. Windows are compared with float32 windows of the same "
        "statistics, the model's own graph with float32 whole.\n"
        + (f"Not there, so not measured: {absent}\n" if absent else "")
    )
    return origin(result) + table(head, rows) + text


def windows(result: dict[str, Any]) -> str:
    rows = [
        (", ".join(map(str, one["steps"])), *(one[name]["median"] for name in
         ("first_window_ms", "slack_ms", "longest_window_ms", "real_time_factor")))
        for one in result["results"]
    ]  # fmt: skip
    head = ("steps of 12.5 ms", "first window ms", "slack ms", "longest window ms", "real-time factor")
    return origin(result) + table(head, rows)


def tuning(result: dict[str, Any]) -> str:
    told = result["results"]

    def product(one: dict[str, Any]) -> float:
        """What `doctor --tune` weighs."""
        return float(one["first_audio_ms"]["median"] * one["real_time_factor"]["median"])

    default = told["candidates"][0]
    rows = []
    for one in told["candidates"]:
        name, first, factor = Choice(**one["choice"]).named, one["first_audio_ms"], one["real_time_factor"]
        whole = one["decode"] == "full"
        rows.append(
            (f"{name}, decoded whole" if whole else name, first["median"], _spread(first), f"{factor['median']:.3f}",
             _spread(factor), None if whole else product(one) / product(default))
        )  # fmt: skip
    head = (
        "what runs it",
        "first audio ms",
        "least to most",
        "real-time factor",
        "least to most",
        "product / default's",
    )
    text = (
        f"\nThe first line is the default here; chosen: {Choice(**told['chosen']).named}. A sentence of four seconds, medians of "
        f"{default['first_audio_ms']['n']} in two rounds. Chosen is the least product of both figures, if it is below 0.95 of the "
        "default's, or below 0.9 where threads spin. Decoding whole, by the model's own int8 generator, is only shown.\n"
        + "".join(f"\nDid not run: {name}\n" for name in result["not_measured"])
    )
    return origin(result) + table(head, rows) + text


def _spread(summary: dict[str, Any]) -> str:
    return f"{min(summary['samples'])} to {max(summary['samples'])}"


def listeners(result: dict[str, Any]) -> str:
    told = result["results"]
    rows = [
        (crowd["order"], crowd["worst_first_audio_ms"]["median"], _list(crowd["first_audio_ms"]),
         _list(crowd["underrun_ms"]), _list(crowd["underruns"]))
        for crowd in told["crowds"]
    ]  # fmt: skip
    head = ("order", "last first audio ms", "first audio ms", "underrun ms", "underruns")
    over = ", ".join(f"{name} {value}" for name, value in told["worst_over_alone"].items())
    steps = ", ".join(
        f"{kind} {shown(told['median_step_ms'][kind])} (longest {shown(told['longest_step_ms'][kind])})"
        for kind in told["median_step_ms"]
    )
    return (
        origin(result)
        + f"One voice, no network, a paragraph of {_list(told['audio_s'])} s each, asked for 50 ms after each other; the "
        "scheduler's deadline order against first come, first served.\n\n"
        + table(head, rows)
        + f"\nLast first audio against one alone: {over}. Real-time factor {told['real_time_factor']}. Steps, ms: {steps}.\n"
    )


def _list(values: Sequence[float]) -> str:
    return " / ".join(f"{value:.0f}" for value in values)


def openers(result: dict[str, Any]) -> str:
    rows = [
        (item["policy"], item["chunk_words"], item["after_chunk_ms"]["median"], item["first_audio_ms"]["median"],
         item["underrun_ms"], item["dnsmos"], item["dnsmos_p808"], item["word_error_rate"], item["faults"],
         item["audio_s"])
        for item in result["results"]
    ]  # fmt: skip
    head = ("first chunk", "its words", "first audio after its last token ms", "after agent_start ms",
            "underruns in all ms", "DNSMOS", "P.808", "WER", "faults", "audio s")  # fmt: skip
    return origin(result) + "25 openers through the agent, medians and means.\n\n" + table(head, rows)


def chunker(result: dict[str, Any]) -> str:
    told = result["results"]
    systems = {name: of for name, of in told.items() if isinstance(of, dict)}
    ours = told["firstword"]
    rows = [
        (name, of["exact"], of["f1"], of["delay_tokens"]["mean"], of["delay_tokens"]["p95"], of["delay_tokens"]["max"],
         of["lossless"], of["same_for_every_fragmentation"], of["microseconds_a_token"])
        for name, of in sorted(systems.items(), key=lambda pair: -pair[1]["f1"])
    ]  # fmt: skip
    head = ("", "exact", "F1", "delay, tokens", "p95", "most", "nothing lost", "same however fragmented", "µs a token")
    paused, endless = ours["with_pauses"], ours["endless_sentence"]
    languages = ", ".join(f"{name} {of['f1']:.3f}" for name, of in ours["by_language"].items())
    return (
        origin(result)
        + f"{told['cases']} cases of our own, which our rules were adjusted on: see `docs/decisions/0006-sentence-chunker.md` "
        "for what sets scored at first sight.\n\n"
        + table(head, rows)
        + f"\nOurs with a pause after every token: exact {paused['exact']}, delay {paused['delay_tokens']['mean']} tokens. One "
        f"sentence of {endless['chars']} characters, by character: {endless['seconds']} s, exponent {endless['exponent']}. F1 by "
        f"language: {languages}.\n"
        + (f"\nNot installed: {', '.join(told['not_installed'])}.\n" if told["not_installed"] else "")
    )


def spoken(result: dict[str, Any]) -> str:
    told = result["results"]
    wrong = [
        (case["written"].replace("\n", " ").replace("|", "\\|"), case["said"].replace("\n", " "), case["heard"])
        for case in told["cases"]
        if case["wrong_words"]
    ]
    return (
        origin(result)
        + f"{told['texts']} written texts: {told['right']} become exactly the words they should. Of {told['words']} words "
        f"{told['word_error_rate']:.1%} are heard wrong by Whisper tiny.en, which writes numbers in digits of its own. From text to "
        f"words: {told['chain_ms']} ms a sentence, cutting included, without the phonemizer.\n\nHeard otherwise:\n\n"
        + table(("written", "said", "heard"), wrong)
    )


def flat(result: dict[str, Any]) -> str:
    rows: list[tuple[str, object]] = []

    def walk(value: dict[str, Any], prefix: str) -> None:
        for name, item in value.items():
            if isinstance(item, dict):
                walk(item, f"{prefix}{name}, ")
            elif isinstance(item, int | float | str):
                rows.append((f"{prefix}{name}", item))

    told = result["results"]
    walk(told if isinstance(told, dict) else {str(i): item for i, item in enumerate(told)}, "")
    return origin(result) + table(("figure", "value"), rows)


def page(result: dict[str, Any]) -> str:
    # Results before rendered and audible were told apart have the audible ones, under the second name.
    names = (("added_rendered_ms",), ("added_audible_ms", "added_ms"), ("silence_rendered_ms",),
             ("silence_audible_ms", "silence_after_stop_ms"))  # fmt: skip

    def median(cost: dict[str, Any], keys: tuple[str, ...]) -> float | None:
        return next((cost[key]["median"] for key in keys if key in cost), None)

    rows = [(cost["door"], *(median(cost, keys) for keys in names), cost["stalls"]) for cost in result["results"]]
    head = ("door", "click to rendered, minus the agent's own ms", "to audible ms", "stop to rendered silence ms", "to audible ms",
            "stalls")  # fmt: skip
    return origin(result) + table(head, rows)


def fidelity(result: dict[str, Any]) -> str:
    rows = []
    for group in result["results"]["groups"]:
        of = group["figures"]
        rows.append(
            (group["name"], of["utterances"], of["snr_db_median"], of["snr_db_worst"], of["distance_db_median"],
             of["distance_db_worst"], of["level_db_median"], of["level_db_worst"],
             f"{sum(abs(one['level_db']) > 0.5 for one in group['results'])} of {of['utterances']}",
             group["level_db_together"], group["timbre_db"], f"{group['faults']} of {group['joins']}",
             1e5 * group["mean_error"], 1e3 * group["variance_error"])
        )  # fmt: skip
    head = ("group", "utterances", "SNR dB", "worst", "log-spectral distance dB", "worst", "level dB", "worst",
            "beyond 0.5 dB", "all together dB", "long-term spectrum dB", "faults at window edges", "means, 1e-5",
            "variances, 1e-3")  # fmt: skip
    heard = "; ".join(
        f"{group['name']}: words heard wrong {group['word_error_rate']['streamed']:.2%} and "
        f"{group['word_error_rate']['whole']:.2%}, DNSMOS {group['dnsmos']['streamed']:.3f} and {group['dnsmos']['whole']:.3f}"
        for group in result["results"]["groups"]
        if group["word_error_rate"]
    )
    text = (
        "\nMedians; the last two columns are what was foretold wrong (mean squares, of means in units of their channel's "
        f"deviation and of log variances). Streamed and whole, {heard}. The method, and every voice: [predictor.md](predictor.md).\n"
    )
    return origin(result) + table(head, rows) + text


def page_load(result: dict[str, Any]) -> str:
    """A stall is the page's if more audio had reached the gateway 40 ms before."""
    told = result["results"]
    rows = [
        (one["door"], one["audio_s"], one["page_stalls"], one["server_stalls"], one["server_silence_ms"],
         one["device_underruns"], "yes" if one["whole"] else "no")
        for one in told
    ]  # fmt: skip
    head = ("door", "audio s", "stalls while more had come", "stalls with nothing to play", "ms of those without a page",
            "device ran dry", "every sample played")  # fmt: skip
    loops = result["parameters"]["busy"]
    text = f"\nThe real voice, the agent, Chromium and {loops} busy loops on this machine, all of one priority.\n"
    return origin(result) + table(head, rows) + text


SECTIONS: tuple[tuple[str, str, Callable[[dict[str, Any]], str]], ...] = (
    ("demo/result.json", "The demo: packaged model, real voice", demo),
    ("agent.json", "The agent at a set pace", agent),
    ("openers.json", "A clause or a sentence first", openers),
    ("first-sound.json", "Aims of the first sound, met and missed", aims),
    ("first-sound.json", "First sound against sentence length", first_sound_with_plot),
    ("faster/first-sound.json", "First sound on a faster processor", first_sound),
    ("older/first-sound.json", "First sound on an older processor", first_sound),
    ("generator.json", "The generator by every library and in every form", generator),
    ("windows.json", "Windows of other sizes", windows),
    ("windows-busy.json", "The same beside busy loops", windows),
    ("tuning.json", "What `doctor --tune` measures here", tuning),
    ("fidelity.json", "Streamed against whole", fidelity),
    ("fidelity-int8.json", "Streamed in int8 against whole in float32", fidelity),
    ("listeners.json", "Four listeners at once", listeners),
    ("ttfa.json", "First audio by route", ttfa),
    ("ttfa-whole-message.json", "First audio when a message is answered only once it is all done", ttfa),
    ("peers.json", "Beside a peer", peers),
    ("transport.json", "Formats on the way", transport),
    ("quality.json", "Quality", quality),
    ("chunker.json", "Sentence chunking", chunker),
    ("spoken.json", "What is said, and heard back", spoken),
    ("emulator.json", "What the emulator adds", flat),
    ("page.json", "What the browser adds", page),
    ("page-load.json", "The page beside busy loops", page_load),
)

if __name__ == "__main__":
    main()
