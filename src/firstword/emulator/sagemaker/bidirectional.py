"""InvokeEndpointWithBidirectionalStream: one part, one frame, both ways.

A part's DataType picks the frame's opcode (UTF8 text; BINARY or none: binary), its CompletionState the FIN bit. Parts
are never joined, split or looked into. What AWS does not document is marked so.
"""

import asyncio
import logging
import re
from dataclasses import dataclass

from websockets.frames import Frame, Opcode

from firstword.config import EmulatorSettings
from firstword.emulator import eventstream
from firstword.emulator.eventstream import Message
from firstword.emulator.http.exchange import Exchange, Request
from firstword.emulator.sagemaker.endpoints import Endpoints, model_error, variant_of
from firstword.emulator.signatures import EventVerifier
from firstword.emulator.websocket import Closed, ContainerSocket
from firstword.errors import ConnectFailed, ConnectionLost, EmulatedError, ProtocolError, TransportTimeout

__all__ = ["serve_bidirectional"]

_log = logging.getLogger(__name__)
_DEFAULT_PATH = "invocations-bidirectional-stream"
_PATH = re.compile(r"[A-Za-z0-9\-._]+(?:/[A-Za-z0-9\-._]+)*")
_PAIR = r"(?:[A-Za-z0-9._~\-]|%[0-9A-Fa-f]{2})+"
_QUERY = re.compile(rf"{_PAIR}={_PAIR}(?:&{_PAIR}={_PAIR})*")
_CLOSE_S = 10.0
_LIMIT = "The session has reached its longest duration."


async def serve_bidirectional(
    exchange: Exchange, name: str, endpoints: Endpoints, settings: EmulatorSettings, verifier: EventVerifier | None
) -> None:
    """Relay until the container closes, the caller leaves or ends its input, or a limit is reached.

    Raises EmulatedError for what AWS answers before the stream.
    """
    if not exchange.duplex:
        raise _invalid("This operation needs HTTP/2.")
    url = endpoints.url(name, "InputValidationError") + _resource(exchange.request)
    variant = variant_of(exchange.request)
    try:
        socket = await ContainerSocket.connect(
            "ws" + url.removeprefix("http"),
            accept_s=settings.accept_timeout_s,
            handshake_s=settings.handshake_timeout_s,
        )
    except ConnectFailed as error:
        raise EmulatedError(error.message, code="ServiceUnavailableError", status=503) from error
    except (EmulatedError, TransportTimeout) as error:
        status = error.status if isinstance(error, EmulatedError) else 504
        raise model_error(status, error.message, variant, endpoints.log_stream(name)) from error
    try:
        # The status goes out once the container's WebSocket stands: callers wait for it before they speak.
        headers = [("content-type", eventstream.CONTENT_TYPE), ("x-amzn-invoked-production-variant", variant)]
        await exchange.start(200, headers)
        await _Relay(exchange=exchange, socket=socket, settings=settings, verifier=verifier).run()
    finally:
        socket.abandon()


def _resource(request: Request) -> str:
    path = request.header("x-amzn-sagemaker-model-invocation-path")
    query = request.header("x-amzn-sagemaker-model-query-string")
    if path and (len(path) > 100 or not _PATH.fullmatch(path)):
        raise _invalid("ModelInvocationPath must be at most 100 characters: segments of A-Z a-z 0-9 - . _ parted by /.")
    if query and (len(query) > 2048 or not _QUERY.fullmatch(query)):
        raise _invalid("ModelQueryString must be at most 2048 characters: key=value pairs parted by &.")
    return f"/{path or _DEFAULT_PATH}" + (f"?{query}" if query else "")


def _invalid(message: str) -> EmulatedError:
    return EmulatedError(message, code="InputValidationError", status=400)


@dataclass(kw_only=True)
class _Relay:
    exchange: Exchange
    socket: ContainerSocket
    settings: EmulatorSettings
    verifier: EventVerifier | None
    # Why the container was told to close, where the caller must hear of it: ErrorCode and Message.
    verdict: tuple[str, str] | None = None

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as tasks:
            inward = tasks.create_task(self._inward())
            pings = tasks.create_task(self._ping())
            limit = loop.call_later(self.settings.session_limit_s, self._end, "ModelInvocationTimeExceeded", _LIMIT)
            try:
                await self._outward()
            except ConnectionLost as error:
                _log.info("bidirectional caller left", extra={"reason": error.message})
            finally:
                limit.cancel()
                inward.cancel()
                pings.cancel()

    async def _inward(self) -> None:
        """The caller's parts to the container."""
        decoder = eventstream.Decoder()
        try:
            while data := await self.exchange.receive():
                for envelope in decoder.feed(data):
                    await self._part(envelope)
        except ConnectionLost:
            # Not documented by AWS: a caller that vanishes ends the container's session.
            self._close(1001, "the caller has gone")
        except ProtocolError as error:
            self._end("ValidationError", error.message)
        else:
            if self.settings.close_on_input_end:
                self._close(1000)

    async def _part(self, envelope: Message) -> None:
        if self.verifier is not None:
            self.verifier.check(envelope)
        if not envelope.payload:
            return
        # A signed event is an envelope around the message itself.
        (message,) = (
            eventstream.Decoder().feed(envelope.payload) if ":chunk-signature" in envelope.headers else (envelope,)
        )
        if message.text(":event-type") != "PayloadPart":
            raise ProtocolError(f"{message.text(':event-type')!r} is not an event of this stream.")
        kind, state = message.text("DataType"), message.text("CompletionState")
        if kind not in ("", "UTF8", "BINARY") or state not in ("", "PARTIAL", "COMPLETE"):
            raise ProtocolError("DataType is UTF8 or BINARY, CompletionState PARTIAL or COMPLETE.")
        text = kind == "UTF8" and not self.settings.ignore_data_type
        await self.socket.send(message.payload, text=text, last=state != "PARTIAL")

    async def _outward(self) -> None:
        """The container's frames to the caller, then how it ended."""
        kind = "BINARY"
        while not isinstance(received := await self.socket.receive(), Closed):
            for frame in received:
                if frame.opcode is not Opcode.CONT:
                    kind = "UTF8" if frame.opcode is Opcode.TEXT else "BINARY"
                await self.exchange.send(eventstream.encode(_response_part(frame, kind)))
        if self.verdict is not None or not self.socket.closed_by_us:
            code, reason = self.verdict or (str(received.code), received.reason)
            await self.exchange.send(
                eventstream.encode(eventstream.exception("ModelStreamError", {"ErrorCode": code, "Message": reason}))
            )
        await self.exchange.finish()

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(self.settings.ping_interval_s)
            if self.socket.unanswered_pings >= self.settings.ping_misses:
                self._end("StreamBroken", f"{self.settings.ping_misses} pings were not answered.")
                return
            try:
                await self.socket.ping()
            except ConnectionLost:
                return

    def _end(self, code: str, message: str) -> None:
        """Close the container's WebSocket and tell the caller why."""
        self.verdict = (code, message)
        self._close(1001, message)

    def _close(self, code: int, reason: str = "") -> None:
        self.socket.close(code, reason)
        # A container that does not answer the Close is cut off.
        asyncio.get_running_loop().call_later(_CLOSE_S, self.socket.abandon)


def _response_part(frame: Frame, kind: str) -> Message:
    state = "COMPLETE" if frame.fin else "PARTIAL"
    return eventstream.event("PayloadPart", bytes(frame.data), DataType=kind, CompletionState=state)
