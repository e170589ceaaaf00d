"""What users call: one connection to a voice, many answers over it.

    async with connect("http://127.0.0.1:8080", voice="af_heart") as speech:
        async for event in speech.stream(model_text()):
            ...

Chooses the transport by the address and holds what every answer shares. Below it: `stream` (one answer), `line` (its
sessions). Above it: the agent, the commands, other people's programs.
"""

import asyncio
import contextlib
import math
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from types import TracebackType
from typing import Self, get_args

from firstword.client.answer import Answer
from firstword.client.events import Event
from firstword.client.line import Line
from firstword.client.part import Options
from firstword.client.sentences import FirstChunk
from firstword.client.source import TextSource
from firstword.client.stream import AnswerStream, Delivery
from firstword.client.transport import Dial
from firstword.client.websocket import dial_websocket, websocket_url
from firstword.config import ClientSettings
from firstword.errors import ConfigError, UsageError
from firstword.text.pace import Pace
from firstword.text.pronunciation import configured_pronunciations

__all__ = ["Connection", "connect"]


def connect(
    url: str | None = None,
    *,
    voice: str | None = None,
    speed: float | None = None,
    language: str | None = None,
    first_chunk: FirstChunk = "clause",
    timings: bool = False,
    trim: bool = True,
    pronunciations: Mapping[str, str] | None = None,
    delivery: Delivery = "sentences",
    settings: ClientSettings | None = None,
    api_key: str | None = None,
    region: str | None = None,
) -> "Connection":
    """A connection to be entered with `async with`.

    `url` is `http(s)://HOST:PORT` or `ws(s)://…` of a speech server, or `endpoint:NAME` of a SageMaker endpoint (in
    `region`, default: the AWS configuration's); without it FIRSTWORD_CLIENT_URL is used. What is not set here the
    server decides. `first_chunk` "clause" lets the first thing spoken be a clause, for the sooner first sound.
    `delivery` says who cuts the text: "sentences" the client, "deltas" the server, "whole" nobody (one message once
    all the text has come). `pronunciations` (word to respelling or to "/phonemes/") go with every request, over those
    of the file that FIRSTWORD_CLIENT_PRONUNCIATIONS_FILE names.
    """
    chosen = settings or ClientSettings.load()
    address = url or chosen.url
    if address is None:
        raise UsageError("No speech server is named.", hint="Pass its URL or set FIRSTWORD_CLIENT_URL.")
    _check(voice, language, first_chunk, delivery)
    words = configured_pronunciations(chosen.pronunciations_file).merged(pronunciations or {}).entries
    options = Options(
        voice=voice, speed=speed, language=language, timings=timings, trim=trim, pronunciations=words or None
    )
    dial = _dial_for(address, options, chosen, api_key or chosen.api_key, region)
    return Connection(dial, options, chosen, first_chunk=first_chunk, delivery=delivery)


def _check(voice: object, language: object, first_chunk: object, delivery: object) -> None:
    """Raises UsageError for what can only be a mistake: the server would not see it, or see something else."""
    for name, value in (("voice", voice), ("language", language)):
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise UsageError(f"The {name} is {value!r}.", hint="Name one, or leave it out for the server's default.")
    for name, value, known in (
        ("first_chunk", first_chunk, get_args(FirstChunk.__value__)),
        ("delivery", delivery, get_args(Delivery.__value__)),
    ):
        if value is not None and value not in known:
            raise UsageError(f"There is no {name} {value!r}; one of: {', '.join(known)}.")


def _dial_for(
    address: str, options: Options, settings: ClientSettings, api_key: str | None, region: str | None
) -> Dial:
    if not address.startswith("endpoint:"):
        websocket_url(address)
        return lambda: dial_websocket(address, settings, api_key=api_key)
    try:
        from firstword.client.sagemaker.transport import endpoint_dial  # the AWS SDKs are an extra, and slow to import
    except ImportError as error:
        raise ConfigError("The AWS SDKs are not installed.", hint="Install firstword[aws].") from error
    return endpoint_dial(address.removeprefix("endpoint:"), options, settings, region=region)


class Connection:
    """Sessions are kept open across answers and replaced by themselves. One answer at a time."""

    def __init__(
        self, dial: Dial, options: Options, settings: ClientSettings, *, first_chunk: FirstChunk, delivery: Delivery
    ) -> None:
        self._line = Line(dial, settings)
        self._options = options
        self._settings = settings
        self._pace = Pace(join_after_s=settings.join_after_s)
        self._first_chunk: FirstChunk = first_chunk
        self._delivery: Delivery = delivery
        self._turn = asyncio.Lock()
        self._running: AnswerStream | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Raises ConnectFailed or TransportTimeout if the first session cannot be opened."""
        await self._line.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End the running answer and every session, within the close deadlines."""
        await self.cancel()
        await self._line.aclose()

    async def stream(
        self,
        text: TextSource,
        *,
        request_id: str | None = None,
        voice: str | None = None,
        speed: float | None = None,
        language: str | None = None,
        timings: bool | None = None,
        trim: bool | None = None,
        pronunciations: Mapping[str, str] | None = None,
        first_chunk: FirstChunk | None = None,
        delivery: Delivery | None = None,
        paced: bool = True,
    ) -> AsyncGenerator[Event]:
        """Say a text, whole or live; events as they come, ending in `SynthesisComplete` or `SynthesisCancelled`.

        `paced` False is for a file: nobody listens meanwhile, so audio comes as fast as it is made; otherwise the
        server keeps a few seconds ahead of a listener who plays it as it comes (or as `played` tells).
        `pronunciations` overrule those of the connection.

        Raises RemoteError when the server refuses (its code says why), a TransportError when the way broke and could
        not be mended, and what `text` itself raises. Leaving the loop early cancels the answer.
        """
        _check(voice, language, first_chunk, delivery)
        ours = self._options
        options = Options(
            voice=voice or ours.voice,
            speed=ours.speed if speed is None else speed,
            language=language or ours.language,
            timings=ours.timings if timings is None else timings,
            trim=ours.trim if trim is None else trim,
            sample_rate_hz=ours.sample_rate_hz,
            pronunciations={**(ours.pronunciations or {}), **(pronunciations or {})} or None,
        )
        async with self._one_at_a_time():
            answer = Answer(request_id or _new_id(), options)
            stream = AnswerStream(answer, self._line, self._settings, self._pace, paced=paced)
            work = stream.run(text, delivery or self._delivery, first_chunk or self._first_chunk)
            self._running, self._task = stream, asyncio.create_task(work, name="firstword stream")
            try:
                async with contextlib.aclosing(stream.events()) as events:
                    async for event in events:
                        yield event
            finally:
                await stream.stop()
                await self._task
                self._running = self._task = None

    async def cancel(self, request_id: str | None = None) -> None:
        """End the running answer (if it is the one named): no audio of it comes after this was called.

        Returns when the server has acknowledged it; its stream ends with `SynthesisCancelled`.
        """
        running = self._running
        if running is not None and request_id in (None, running.request_id):
            await running.stop()

    async def played(self, played_s: float) -> None:
        """Tell the server how many seconds of the running answer have been heard; it then sends further ahead.

        Raises UsageError for what is no number of seconds.
        """
        if not math.isfinite(played_s):
            raise UsageError(f"played_s is {played_s}; it must be a number of seconds.")
        if self._running is not None:
            await self._running.played(played_s)

    @contextlib.asynccontextmanager
    async def _one_at_a_time(self) -> AsyncIterator[None]:
        try:
            await asyncio.wait_for(self._turn.acquire(), self._settings.receive_timeout_s)
        except TimeoutError as error:
            hint = "Cancel it first, or open a connection for each."
            raise UsageError("Another answer is running on this connection.", hint=hint) from error
        try:
            yield
        finally:
            self._turn.release()


def _new_id() -> str:
    return uuid.uuid4().hex[:12]
