"""OpenAI clients for an agent whose answers run on more than one event loop: one each, made once.

Strands would make a client for every request, which reads the certificate store each time (some 40 ms before the first
token); one client for all loops cannot be, because its connections belong to a loop. Below it: the OpenAI SDK. Above
it: `model`.
"""

import asyncio
from typing import Any

import openai

__all__ = ["OpenAIClients"]


class OpenAIClients:
    """What Strands takes for a client. Owe it `aclose`."""

    def __init__(self, **arguments: Any) -> None:
        self._arguments = arguments
        self._clients: dict[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = {}

    @property
    def chat(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = openai.AsyncOpenAI(**self._arguments)
        return self._clients[loop].chat

    def warm(self) -> None:
        """Import what a first request imports, over a second's worth."""
        _ = openai.AsyncOpenAI(**self._arguments).chat.completions

    async def aclose(self) -> None:
        """Close every client on its own loop."""
        here = asyncio.get_running_loop()
        for loop, client in self._clients.items():
            if loop is here:
                await client.close()
            elif loop.is_running():
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(client.close(), loop))
        self._clients.clear()
