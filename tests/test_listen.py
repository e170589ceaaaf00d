"""A server that does not come up is told, and ended."""

import asyncio
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


async def test_an_answer_that_outlasts_the_drain_is_cut_without_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    begun = asyncio.Event()

    async def endless(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        begun.set()
        await asyncio.Event().wait()

    async with listen.listening(endless) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        _reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        await asyncio.wait_for(begun.wait(), 10)
    writer.close()

    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
    assert "graceful shutdown exceeded" in caplog.text
