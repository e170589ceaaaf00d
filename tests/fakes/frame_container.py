"""A container that is not ours: echoes WebSocket frames one by one as they come, and answers POSTs as it is told.

It records what reached it, down to opcode and FIN, which no WebSocket library shows. A text frame may be an order:
`close CODE REASON`, `drop` (no Close frame), `fragments` (a message in three frames), `mute` (answers nothing more,
not even pings).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol


@dataclass(frozen=True, kw_only=True)
class Answer:
    """To a POST: pieces are written one by one; `cut` ends the connection before the end of the body."""

    status: int = 200
    content_type: str = "application/octet-stream"
    headers: Sequence[tuple[str, str]] = ()
    pieces: Sequence[bytes] = ()
    pause_s: float = 0.0
    cut: bool = False


@dataclass(kw_only=True)
class FrameContainer:
    url: str = ""
    frames: list[tuple[str, bool, bytes]] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    closes: list[tuple[int, str]] = field(default_factory=list)
    pings: int = 0
    posts: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answer: Callable[[bytes], Answer] = lambda body: Answer(pieces=[body])
    greeting: bytes | None = None
    answered: Callable[[], None] = lambda: None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def until(self, true: Callable[[], bool]) -> None:
        """Return once `true()`, asked again after everything that reaches the container."""
        while not true():
            self._changed.clear()
            await self._changed.wait()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"POST"):
                await self._post(head, reader, writer)
            else:
                await self._talk(head, reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            # The top of a connection's task: at the end of a test it may still be in a pause.
            return
        finally:
            writer.close()

    async def _post(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *rest = head.decode().strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.posts.append((first.split()[1], headers, body))
        self._changed.set()
        answer = self.answer(body)
        lines = [f"HTTP/1.1 {answer.status} As told", f"content-type: {answer.content_type}", "connection: close"]
        lines += ["transfer-encoding: chunked", *(f"{name}: {value}" for name, value in answer.headers)]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        for piece in answer.pieces:
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await writer.drain()
            await asyncio.sleep(answer.pause_s)
        if not answer.cut:
            writer.write(b"0\r\n\r\n")
        self.answered()

    async def _talk(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        protocol = ServerProtocol(max_size=None)
        data, mute = head, False
        while data:
            protocol.receive_data(data)
            for happened in protocol.events_received():
                match happened:
                    case Request():
                        self._upgrade(protocol, happened)
                    case Frame() if not mute:
                        mute = self._frame(protocol, writer, happened)
                    case Frame() if happened.opcode is Opcode.PING:
                        self.pings += 1
            self._changed.set()
            out = protocol.data_to_send()
            if not mute:
                writer.write(b"".join(out))
            if b"" in out:
                return
            data = await reader.read(65536)

    def _upgrade(self, protocol: ServerProtocol, request: Request) -> None:
        self.targets.append(request.path)
        if request.path.startswith("/refuse/"):
            response: Response = protocol.reject(int(request.path.split("/")[2]), "no room")
        else:
            response = protocol.accept(request)
        protocol.send_response(response)
        if self.greeting is not None:
            protocol.send_binary(self.greeting)

    def _frame(self, protocol: ServerProtocol, writer: asyncio.StreamWriter, frame: Frame) -> bool:
        data = bytes(frame.data)
        match frame.opcode:
            case Opcode.PING:
                self.pings += 1
            case Opcode.CLOSE:
                close = Close.parse(data)
                self.closes.append((close.code, close.reason))
            case Opcode.TEXT | Opcode.BINARY | Opcode.CONT:
                self.frames.append((frame.opcode.name, frame.fin, data))
                return _obey(protocol, writer, frame)
            case _:
                pass
        return False


def _obey(protocol: ServerProtocol, writer: asyncio.StreamWriter, frame: Frame) -> bool:
    match bytes(frame.data).decode("utf-8", "replace").split(" ", 2):
        case ["close", code, reason]:
            protocol.send_close(int(code), reason)
        case ["drop"]:
            writer.transport.abort()
        case ["mute"]:
            return True
        case ["fragments"]:
            protocol.send_text(b"one", fin=False)
            protocol.send_continuation(b"two", fin=False)
            protocol.send_continuation(b"three", fin=True)
        case _ if frame.opcode is Opcode.CONT:
            protocol.send_continuation(frame.data, fin=frame.fin)
        case _ if frame.opcode is Opcode.TEXT:
            protocol.send_text(frame.data, fin=frame.fin)
        case _:
            protocol.send_binary(frame.data, fin=frame.fin)
    return False


@contextlib.asynccontextmanager
async def frame_container() -> AsyncIterator[FrameContainer]:
    """A running container at its `url`."""
    container = FrameContainer()
    server = await asyncio.start_server(container.serve, "127.0.0.1", 0)
    container.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield container
    finally:
        server.close()
