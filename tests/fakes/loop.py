"""Runs an async test with a deadline, so that a hang is a failure and not a stuck run."""

import asyncio
from collections.abc import Coroutine
from typing import Any

__all__ = ["run"]


def run[T](story: Coroutine[Any, Any, T], *, within_s: float = 30.0) -> T:
    async def bounded() -> T:
        async with asyncio.timeout(within_s):
            return await story

    return asyncio.run(bounded())
