"""What there is to choose from: one model, and the voices that this server can speak."""

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firstword.errors import RequestRefused
from firstword.kokoro.synthesizer import Synthesizer, VoiceOptions
from firstword.kokoro.voices import VOICES
from firstword.server.openai.voices import OPENAI_VOICES
from firstword.server.replies import openai_error_reply
from firstword.server.serving import Serving

__all__ = ["list_models", "list_voices", "retrieve_model"]

_MODEL: Final = {"id": "kokoro-82m", "object": "model", "created": 1_737_936_000, "owned_by": "hexgrad"}
"""`created`: the day its version 1.0 was published."""


async def list_models(_: Request) -> Response:
    return JSONResponse({"object": "list", "data": [_MODEL]})


async def retrieve_model(request: Request) -> Response:
    if request.path_params["model"] == _MODEL["id"]:
        return JSONResponse(_MODEL)
    return openai_error_reply(RequestRefused("There is no such model.", code="not_found"), field="model")


async def list_voices(request: Request) -> Response:
    """Ours in the order of their names, then OpenAI's names with the voice that answers to each."""
    serving: Serving = request.app.state.serving
    try:
        voice = serving.service.voice
    except RequestRefused as refusal:
        return openai_error_reply(refusal)
    names = sorted(name for name in voice.voices() if _speaks(voice, name))
    ours = [_entry(name, name) for name in names]
    theirs = [_entry(name, voice_name) for name, voice_name in OPENAI_VOICES.items() if voice_name in names]
    return JSONResponse({"voices": [*ours, *theirs]})


def _speaks(voice: Synthesizer, name: str) -> bool:
    try:
        voice.check(VoiceOptions(voice=name))
    except RequestRefused:
        return False
    return True


def _entry(name: str, voice: str) -> dict[str, str]:
    info = VOICES[voice]
    return {"id": name, "name": name, "voice": voice, "language": info.language, "gender": info.gender}
