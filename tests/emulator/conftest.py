"""Stories over both transports.

They run in a loop of their own rather than anyio's: the SDK's native transport leaves failed tasks behind when a
server ends a stream first, and anyio would take them for the test's.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fakes.emulated import Play, Scene, scene

STORY_S = 60.0


@pytest.fixture(params=["h2c", "tls"])
def play(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs a story over each transport: the SDK's own in TLS, and ours over plain HTTP/2."""

    def run(story: Callable[[Scene], Awaitable[None]], **settings: Any) -> None:
        async def whole() -> None:
            async with asyncio.timeout(STORY_S), scene(request.param, monkeypatch, **settings) as ready:
                await story(ready)

        asyncio.run(whole())

    return run
