"""`speech-infra say`: one text through the deployed voice, timed."""

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from firstword.audio import duration_s
from firstword.cli.infra_options import Common, Model, print_json, spread
from firstword.client.audio_file import open_audio_file
from firstword.client.connection import connect
from firstword.client.events import AudioChunk
from firstword.errors import FirstwordError, InfraError, RemoteError, TransportError, UsageError
from firstword.infra.deployment import model_kind
from firstword.infra.site import Site
from firstword.infra.speech.viewing import voice_status
from firstword.text.pronunciation import read_pronunciations

__all__ = ["say"]


@dataclass(frozen=True, kw_only=True)
class _Heard:
    endpoint: str
    audio_bytes: int
    duration_s: float
    first_audio_ms: float
    output: str


@spread
def say(
    model: Model,
    common: Common,
    text: Annotated[str, typer.Argument(help="What to say.")] = "Hello there. This is a post deployment check.",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Audio file to write.")] = None,
    voice: Annotated[str | None, typer.Option(help="A voice; default: the server's.")] = None,
    pronunciations: Annotated[
        Path | None, typer.Option(help="JSON file: word to respelling, or to /phonemes/.")
    ] = None,
) -> None:
    """Speak one text through the real endpoint and tell when its first sound came."""
    model_kind(model)
    words = read_pronunciations(pronunciations).entries if pronunciations else None
    if common.settings.profile:
        # The client finds credentials as every SDK does; this is how it learns of the profile.
        os.environ["AWS_PROFILE"] = common.settings.profile
    place = common.site.place
    try:
        heard = asyncio.run(_listen(place.endpoint_name(model), place.region, text, voice, words, output))
    except (TransportError, RemoteError) as error:
        if error.code == "bad_pronunciation":
            raise UsageError(error.message, code=error.code, hint=error.hint) from error
        raise _explained(common.site, model, error) from error
    if common.as_json:
        print_json(heard)
    else:
        told = f"{heard.duration_s:.3f} s of speech, the first of it after {heard.first_audio_ms:.0f} ms"
        print(f"{heard.endpoint}: {told}{f', in {output}' if output else ''}")


async def _listen(
    endpoint: str,
    region: str,
    text: str,
    voice: str | None,
    pronunciations: Mapping[str, str] | None,
    output: Path | None,
) -> _Heard:
    pcm = bytearray()
    first_s = 0.0
    async with connect(f"endpoint:{endpoint}", voice=voice, pronunciations=pronunciations, region=region) as speech:
        start_s = time.monotonic()
        async for event in speech.stream(text):
            if isinstance(event, AudioChunk):
                first_s = first_s or time.monotonic() - start_s
                pcm += event.pcm
    if not pcm:
        raise InfraError(f"{endpoint} answered without any sound.", code="silent", hint="Look at speech-infra logs.")
    if output is not None:
        with open_audio_file(output) as file:
            file.write(bytes(pcm))
    return _Heard(
        endpoint=endpoint,
        audio_bytes=len(pcm),
        duration_s=round(duration_s(len(pcm)), 3),
        first_audio_ms=round(first_s * 1000, 1),
        output=str(output or ""),
    )


def _explained(site: Site, model: str, error: FirstwordError) -> FirstwordError:
    """That the voice is not in service, where that is why it could not be heard."""
    found = voice_status(site, model, details=False)
    if found.state == "in service":
        return error
    if found.state == "missing":
        hint = f"speech-infra deploy {model} brings it up."
    elif found.state == "paused":
        hint = f"speech-infra resume {model} brings it back."
    else:
        hint = f"speech-infra status {model} tells more."
    return InfraError(f"{found.endpoint} is {found.state}.", code="not_in_service", hint=hint)
