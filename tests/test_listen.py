"""A server that does not come up is told, and ended."""

from typing import Any

import pytest

from firstword import listen
from firstword.errors import UsageError

pytestmark = pytest.mark.anyio


async def never_up(scope: dict[str, Any], receive: Any, _send: Any) -> None:
    assert scope["type"] == "lifespan"
    await receive()
    await receive()


async def fails(scope: dict[str, Any], receive: Any, send: Any) -> None:
    assert scope["type"] == "lifespan"
    await receive()
    await send({"type": "lifespan.startup.failed", "message": "no weights"})


async def test_an_application_that_does_not_come_up_in_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listen, "_STARTUP_TIMEOUT_S", 0.2)
    with pytest.raises(UsageError, match=r"did not start within 0\.2 s"):
        async with listen.listening(never_up):
            pass


async def test_one_that_gives_up_is_told_without_a_time() -> None:
    with pytest.raises(UsageError, match=r"did not start\.") as caught:
        async with listen.listening(fails):
            pass
    assert "within" not in caught.value.message
