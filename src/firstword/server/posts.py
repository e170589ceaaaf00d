"""POST a text, get its audio: streamed as it is made, or whole.

Reads the request, takes a place, lets the voice speak, hands the audio to `bodies` and `sending`. Whatever way it
ends, the place and the synthesis are given back: both are contexts. What a request, an event and an error look like is
the `Dialect`'s: `invocations` has ours, `openai` that of OpenAI.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from typing import Final, Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from firstword.audio import duration_s
from firstword.codecs.encoder import encode_whole
from firstword.codecs.formats import audio_format
from firstword.config import ServerSettings
from firstword.errors import ConnectionLost, FirstwordError, RequestRefused, SpeechError
from firstword.server.bodies import binary_body
from firstword.server.invocation import Invocation, InvocationRefused
from firstword.server.metrics import Outcome, Route
from firstword.server.replies import status_of
from firstword.server.sending import BodySender, while_connected
from firstword.server.serving import Serving
from firstword.speech.items import Audio, Failed, Item
from firstword.speech.listener import Listener
from firstword.speech.service import SpeechService

__all__ = ["PATIENCE_S", "Dialect", "SpeechPost"]

_log = logging.getLogger(__name__)
PATIENCE_S: Final = 10.0
"""After so long without anything to send, a stream of events shows that it is still alive."""
_FIELDS: Final = {
    "unknown_voice": "voice",
    "bad_language": "language",
    "bad_speed": "speed",
    "bad_pronunciation": "pronunciations",
}
_JSON_TYPES: Final = ("", "application/json", "application/octet-stream")


class Dialect(Protocol):
    """How one route reads a request, and how it writes events and errors."""

    @property
    def route(self) -> Route: ...

    def read(self, body: bytes, settings: ServerSettings) -> Invocation:
        """The request in a body. Raises InvocationRefused, which names the field that is wrong."""
        ...

    def events(
        self, items: AsyncIterator[Item], asked: Invocation, *, request_id: str, voice: str
    ) -> AsyncGenerator[bytes]:
        """The answer as server-sent events, each whole. May raise SpeechError before the first."""
        ...

    def refuse(self, error: FirstwordError, *, field: str | None, request_id: str | None) -> Response:
        """The answer that tells this error."""
        ...


class SpeechPost:
    """The ASGI endpoint."""

    def __init__(self, serving: Serving, dialect: Dialect) -> None:
        self._serving = serving
        self._dialect = dialect

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked: Invocation | None = None
        outcome: Outcome
        try:
            asked = await self._read(Request(scope, receive))
            service = self._serving.service
            self._admit(service, asked)
            with self._serving.admission.slot(), _listen(service) as listener:
                answer = _Answer(self._serving, service, listener, self._dialect, asked, send)
                outcome = await while_connected(receive, answer.give(scope, receive))
        except RequestRefused as refusal:
            outcome = "refused"
            field = refusal.field if isinstance(refusal, InvocationRefused) else None
            reply = self._dialect.refuse(refusal, field=field, request_id=asked.request_id if asked else None)
            await reply(scope, receive, send)
        except (ClientDisconnect, ConnectionLost):
            outcome = "gone"
        self._serving.metrics.ended(self._dialect.route, outcome)

    async def _read(self, request: Request) -> Invocation:
        """Raises RequestRefused; ClientDisconnect if the body does not come to its end."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in _JSON_TYPES and not kind.endswith("+json"):
            raise InvocationRefused(f"The body is {kind[:60]}, not application/json.", code="bad_content_type")
        limit = self._serving.settings.max_message_bytes
        body = bytearray()
        try:
            async with asyncio.timeout(self._serving.settings.send_timeout_s):
                async for part in request.stream():
                    body += part
                    if len(body) > limit:
                        raise InvocationRefused(f"The body is longer than {limit} bytes.", code="body_too_long")
        except TimeoutError as error:
            raise InvocationRefused("The body did not come to its end in time.", code="body_timeout") from error
        return self._dialect.read(bytes(body), self._serving.settings)

    def _admit(self, service: SpeechService, asked: Invocation) -> None:
        try:
            service.check(asked.options(self._serving.default_voice), asked.pronunciations)
        except RequestRefused as refusal:
            field = _FIELDS.get(refusal.code)
            raise InvocationRefused(refusal.message, code=refusal.code, hint=refusal.hint, field=field) from refusal


@contextmanager
def _listen(service: SpeechService) -> Iterator[Listener]:
    """A listener for one answer, if there is room. Raises RequestRefused (overloaded)."""
    service.make_room()
    with service.listen(max_lead_s=None) as listener:
        yield listener


class _Answer:
    """One request being answered."""

    def __init__(
        self,
        serving: Serving,
        service: SpeechService,
        listener: Listener,
        dialect: Dialect,
        asked: Invocation,
        send: Send,
    ) -> None:
        self._serving = serving
        self._listener = listener
        self._dialect = dialect
        self._asked = asked
        self._send = send
        self._request_id = asked.request_id or uuid.uuid4().hex
        self._began_s = time.monotonic()
        self._first_audio_s: float | None = None
        self._audio_bytes = 0
        self._started = False
        self._outcome: Outcome = "complete"
        options = asked.options(serving.default_voice)
        self._utterance = service.say(listener, options, live=False, pronunciations=asked.pronunciations)
        self._utterance.feed(asked.text)
        self._utterance.finish()

    async def give(self, scope: Scope, receive: Receive) -> Outcome:
        asked = self._asked
        items = self._observed(self._listener.items(self._utterance, patience_s=PATIENCE_S))
        try:
            if asked.stream:
                await self._stream(items)
            else:
                await self._whole(items, scope, receive)
        except ConnectionLost:
            self._outcome = "gone"
        except SpeechError as error:
            # Once audio has left, only a body cut short can tell.
            if not self._started:
                reply = self._dialect.refuse(error, field=None, request_id=self._request_id)
                await reply(scope, receive, self._send)
        self._log()
        return self._outcome

    def _log(self) -> None:
        fields = {
            "route": self._dialect.route,
            "request_id": self._request_id,
            "outcome": self._outcome,
            "chars": len(self._asked.text),
            "audio_s": round(duration_s(self._audio_bytes), 3),
            "first_audio_s": None if self._first_audio_s is None else round(self._first_audio_s, 4),
            "elapsed_s": round(time.monotonic() - self._began_s, 4),
        }
        _log.info("request ended", extra=fields)

    async def _observed(self, items: AsyncIterator[Item]) -> AsyncIterator[Item]:
        async for item in items:
            match item:
                case Audio(pcm=pcm):
                    if self._first_audio_s is None:
                        self._first_audio_s = time.monotonic() - self._began_s
                        self._serving.metrics.first_audio(self._dialect.route, self._first_audio_s)
                    self._audio_bytes += len(pcm)
                    self._serving.metrics.audio(duration_s(len(pcm)))
                case Failed(error=error):
                    self._outcome = "failed" if status_of(error.code) >= 500 else "refused"
                case _:
                    pass
            yield item

    async def _stream(self, items: AsyncIterator[Item]) -> None:
        asked = self._asked
        sender = BodySender(self._send, send_timeout_s=self._serving.settings.send_timeout_s)
        if asked.transport == "sse":
            kind = "text/event-stream"
            voice = asked.options(self._serving.default_voice).voice
            body = self._dialect.events(items, asked, request_id=self._request_id, voice=voice)
        else:
            kind = audio_format(asked.format).content_type
            body = binary_body(items, asked)
        async with aclosing(body):
            # The status tells of a failure that comes before any audio, so it waits for the first of it.
            first = await anext(body, b"")
            self._started = True
            await sender.start(self._headers(kind))
            await sender.chunk(first)
            async for chunk in body:
                await sender.chunk(chunk)
        await sender.end()

    async def _whole(self, items: AsyncIterator[Item], scope: Scope, receive: Receive) -> None:
        asked, parts = self._asked, list[bytes]()
        async for item in items:
            if isinstance(item, Failed):
                raise item.error
            if isinstance(item, Audio):
                parts.append(item.pcm)
        data = await asyncio.to_thread(encode_whole, b"".join(parts), asked.format, asked.sample_rate)
        kind = audio_format(asked.format).content_type
        await Response(data, headers=self._headers(kind))(scope, receive, self._send)

    def _headers(self, content_type: str) -> dict[str, str]:
        headers = {"Content-Type": content_type, "Cache-Control": "no-store"}
        if self._request_id.isascii() and self._request_id.isprintable():
            # Anything else (a line break, say) has no place in a header.
            headers["X-Request-Id"] = self._request_id
        return headers
