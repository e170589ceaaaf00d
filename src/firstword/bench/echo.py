"""`python -m firstword.bench.echo`: a container that is not ours, and does nothing but send every frame back."""

import asyncio
import signal

from websockets.asyncio.server import ServerConnection, serve

__all__ = ["main"]


async def _answer(socket: ServerConnection) -> None:
    async for message in socket:
        await socket.send(message)


async def _serve() -> None:
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    async with serve(_answer, "127.0.0.1", 0, compression=None) as server:
        print(f"listening on http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await stop.wait()


def main() -> None:
    asyncio.run(_serve())


if __name__ == "__main__":
    main()
