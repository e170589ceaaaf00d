"""One complete text through `POST /invocations`, of a server or a SageMaker endpoint: whole, streamed, or as events.

The pieces an answer arrives in mean nothing: SageMaker cuts it where it likes. So bytes are given as they come, and
events only once they are whole. Text that is still being written goes through `connection` instead.
"""

import base64
import binascii
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final, assert_never

import msgspec

from firstword.client import events
from firstword.client.address import route_url
from firstword.client.faults import remote_error
from firstword.client.http import post
from firstword.config import ClientSettings
from firstword.errors import ConfigError, ConnectionLost, ProtocolError
from firstword.protocol import messages
from firstword.protocol.codec import decode_server
from firstword.protocol.sse import SseReader

__all__ = ["invoke", "invoke_events", "invoke_stream", "read_events"]

_PATH: Final = "/invocations"


async def invoke(
    address: str,
    body: Mapping[str, Any],
    *,
    settings: ClientSettings | None = None,
    api_key: str | None = None,
    region: str | None = None,
) -> bytes:
    """The audio of a text, all of it, in the format that `body` asks for (WAV if none).

    `address` is as for `connect`; `body` holds `text` and the options of `/invocations`. Raises RemoteError with the
    server's own code, a TransportError, or ConfigError.
    """
    whole = {**body, "stream": False}
    async with _answer(address, whole, settings, api_key, region, streamed=False) as pieces:
        return b"".join([piece async for piece in pieces])


async def invoke_stream(
    address: str,
    body: Mapping[str, Any],
    *,
    settings: ClientSettings | None = None,
    api_key: str | None = None,
    region: str | None = None,
) -> AsyncGenerator[bytes]:
    """The same audio in pieces as it is made. Raises what `invoke` raises."""
    async with _answer(address, dict(body), settings, api_key, region, streamed=True) as pieces:
        async for piece in pieces:
            yield piece


async def invoke_events(
    address: str,
    body: Mapping[str, Any],
    *,
    settings: ClientSettings | None = None,
    api_key: str | None = None,
    region: str | None = None,
) -> AsyncGenerator[events.Event]:
    """The server-sent events of a text, as `connect` would give them; audio is PCM unless `body` names a format.

    Raises what `invoke` raises, and ConnectionLost if the events end before their last.
    """
    asked = {"format": "pcm", **body, "transport": "sse"}
    async with _answer(address, asked, settings, api_key, region, streamed=True) as pieces:
        async for event in read_events(pieces):
            yield event


async def read_events(pieces: AsyncIterator[bytes]) -> AsyncGenerator[events.Event]:
    """Events out of server-sent events cut anywhere. Raises RemoteError for an `error`, ConnectionLost at a cut end."""
    reader, audio_bytes, complete = SseReader(), 0, False
    async for piece in pieces:
        for sent in reader.feed(piece):
            event = _event(sent.data, audio_bytes)
            if event is not None:
                complete = complete or isinstance(event, events.SynthesisComplete)
                audio_bytes += len(event.pcm) if isinstance(event, events.AudioChunk) else 0
                yield event
    if not complete:
        raise ConnectionLost("The events ended before their last.", retryable=True)


class _Tagged(msgspec.Struct, tag_field="type"):
    request_id: str


class _Start(_Tagged, tag="audio_stream_start"):
    format: str
    voice: str
    sample_rate: int


class _Sentence(_Tagged, tag="sentence"):
    index: int
    text: str
    audio_offset_s: float
    char_start: int = 0
    char_end: int = 0


class _Chunk(_Tagged, tag="audio_chunk"):
    data: str


class _End(_Tagged, tag="audio_stream_end"):
    duration_s: float


_decoder = msgspec.json.Decoder(_Start | _Sentence | _Chunk | _End)


def _event(data: str, audio_bytes: int) -> events.Event | None:
    try:
        told = _decoder.decode(data)
    except msgspec.ValidationError:
        return _shared(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ProtocolError("The server sent an event that is not JSON.") from error
    match told:
        case _Start():
            return events.SynthesisStart(
                request_id=told.request_id, voice=told.voice, sample_rate_hz=told.sample_rate, format=told.format
            )
        case _Sentence():
            return events.Sentence(**msgspec.structs.asdict(told))
        case _Chunk():
            return events.AudioChunk(request_id=told.request_id, pcm=_decoded(told.data))
        case _End():
            return events.SynthesisComplete(
                request_id=told.request_id, audio_bytes=audio_bytes, duration_s=told.duration_s, elapsed_s=0.0
            )
        case _:
            assert_never(told)


def _shared(data: str) -> events.Event | None:
    """Events that have the form of the session's messages; None for one that is not known."""
    match decode_server(data):
        case messages.Timings() as timings:
            return events.Timings(request_id=timings.request_id, index=timings.index, words=timings.words)
        case messages.Error() as error:
            raise remote_error(error)
        case _:
            return None


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise ProtocolError("The server sent audio that is not base64.") from error


@asynccontextmanager
async def _answer(
    address: str,
    body: Mapping[str, Any],
    settings: ClientSettings | None,
    api_key: str | None,
    region: str | None,
    *,
    streamed: bool,
) -> AsyncIterator[AsyncIterator[bytes]]:
    chosen = settings or ClientSettings.load()
    payload = msgspec.json.encode({name: value for name, value in body.items() if value is not None})
    if address.startswith("endpoint:"):
        try:
            from firstword.client.sagemaker.invoke import endpoint_answer  # the AWS SDKs are an extra, slow to import
        except ImportError as error:
            raise ConfigError("The AWS SDKs are not installed.", hint="Install firstword[aws].") from error
        name = address.removeprefix("endpoint:")
        async with aclosing(endpoint_answer(name, payload, chosen, region=region, streamed=streamed)) as pieces:
            yield pieces
        return
    key = api_key or chosen.api_key
    headers = {"authorization": f"Bearer {key}"} if key else {}
    async with post(route_url(address, "http", _PATH), payload, chosen, headers=headers) as pieces:
        yield pieces
