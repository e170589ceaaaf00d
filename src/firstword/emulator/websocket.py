"""The leg to the container: one WebSocket, frame by frame.

A sans-I/O protocol rather than a client library, because a library joins fragments and hides opcodes, while SageMaker
relays each frame as it is. Knows the frames and the way in (connect, handshake, close), not what they mean to AWS:
`bidirectional` stands above.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidHandshake, InvalidState, InvalidStatus, InvalidURI
from websockets.exceptions import ProtocolError as FrameError
from websockets.frames import Frame, Opcode
from websockets.protocol import SEND_EOF
from websockets.uri import parse_uri

from firstword.errors import ConnectFailed, ConnectionLost, EmulatedError, TransportTimeout, UsageError

__all__ = ["Closed", "ContainerSocket"]

_READ_BYTES = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class Closed:
    """How the container ended it: its Close frame, or 1006 if it sent none."""

    code: int
    reason: str


class ContainerSocket:
    """An open WebSocket to a container. Close it with `abandon`, whatever happened before."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, protocol: ClientProtocol, frames: list[Frame]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._protocol = protocol
        self._early = frames
        self.unanswered_pings = 0
        self.closed_by_us = False

    @classmethod
    async def connect(cls, url: str, *, accept_s: float, handshake_s: float) -> Self:
        """Open the WebSocket at `url`.

        Raises ConnectFailed if nobody accepts within `accept_s`, TransportTimeout if the handshake takes longer than
        `handshake_s`, and EmulatedError with the container's own status if it answers anything but 101.
        """
        try:
            uri = parse_uri(url)
        except InvalidURI as error:
            raise UsageError(f"{url} is not the URL of a container.") from error
        try:
            async with asyncio.timeout(accept_s):
                reader, writer = await asyncio.open_connection(uri.host, uri.port, ssl=uri.secure or None)
        except TimeoutError as error:
            raise ConnectFailed(
                f"The container did not accept a connection within {accept_s * 1000:.0f} ms."
            ) from error
        except OSError as error:
            raise ConnectFailed("The container accepts no connections.") from error
        protocol = ClientProtocol(uri, max_size=None)
        try:
            async with asyncio.timeout(handshake_s):
                return await cls._shake_hands(reader, writer, protocol)
        except TimeoutError as error:
            writer.transport.abort()
            raise TransportTimeout(f"The container did not answer the upgrade within {handshake_s:.0f} s.") from error
        except BaseException:
            writer.transport.abort()
            raise

    @classmethod
    async def _shake_hands(
        cls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, protocol: ClientProtocol
    ) -> Self:
        protocol.send_request(protocol.connect())
        writer.write(b"".join(protocol.data_to_send()))
        while True:
            try:
                data = await reader.read(_READ_BYTES)
            except OSError as error:
                raise ConnectFailed("The container closed the connection during the upgrade.") from error
            if data:
                protocol.receive_data(data)
            else:
                protocol.receive_eof()
            if protocol.handshake_exc is not None:
                raise _refused(protocol.handshake_exc)
            if received := protocol.events_received():
                # The first event is the response; frames may have come with it.
                return cls(reader, writer, protocol, [event for event in received if isinstance(event, Frame)])

    async def receive(self) -> list[Frame] | Closed:
        """The next data frames, in order; Closed once there are no more."""
        frames, self._early = self._early, []
        while not (data := [frame for frame in frames if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)]):
            if (end := self._end()) is not None:
                return end
            await self._read()
            frames = list(self._received())
        return data

    def _end(self) -> Closed | None:
        received = self._protocol.close_rcvd
        if received is not None:
            return Closed(code=received.code, reason=received.reason)
        if self._protocol.parser_exc is not None or self._reader.at_eof():
            return Closed(code=1006, reason="The container closed the connection without a Close frame.")
        return None

    async def _read(self) -> None:
        try:
            data = await self._reader.read(_READ_BYTES)
        except OSError:
            data = b""
        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
        self._flush()

    def _received(self) -> Iterator[Frame]:
        for happened in self._protocol.events_received():
            if isinstance(happened, Frame):
                if happened.opcode is Opcode.PONG:
                    self.unanswered_pings = 0
                yield happened

    async def send(self, data: bytes, *, text: bool, last: bool) -> None:
        """One data frame; a continuation if the frame before was not the last of its message.

        Raises ConnectionLost if the container takes no more.
        """
        try:
            if self._protocol.expect_continuation_frame:
                self._protocol.send_continuation(data, fin=last)
            elif text:
                self._protocol.send_text(data, fin=last)
            else:
                self._protocol.send_binary(data, fin=last)
        except (InvalidState, FrameError) as error:
            raise ConnectionLost("The container has closed the WebSocket.") from error
        await self._drain()

    async def ping(self) -> None:
        """A ping; `unanswered_pings` counts up until the container answers one. Raises ConnectionLost."""
        try:
            self._protocol.send_ping(b"")
        except InvalidState as error:
            raise ConnectionLost("The container has closed the WebSocket.") from error
        self.unanswered_pings += 1
        await self._drain()

    def close(self, code: int, reason: str = "") -> None:
        """Start the closing handshake; `receive` tells its end. No effect on a WebSocket that is closing."""
        if self._end() is not None or self.closed_by_us:
            return
        self.closed_by_us = True
        try:
            self._protocol.send_close(code, reason)
        except InvalidState:
            return
        self._flush()

    def abandon(self) -> None:
        self._writer.transport.abort()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data is not SEND_EOF and not self._writer.transport.is_closing():
                self._writer.write(data)

    async def _drain(self) -> None:
        self._flush()
        try:
            await self._writer.drain()
        except OSError as error:
            raise ConnectionLost("The container has gone.") from error


def _refused(error: Exception) -> Exception:
    if isinstance(error, InvalidStatus):
        response = error.response
        body = bytes(response.body or b"").decode("utf-8", "replace")
        return EmulatedError(body or response.reason_phrase, code="refused", status=response.status_code)
    what = "sent an invalid WebSocket upgrade" if isinstance(error, InvalidHandshake) else "did not speak HTTP"
    return EmulatedError(f"The container {what}.", code="refused", status=502)
