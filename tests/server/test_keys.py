"""Bearer keys: with one, everything; without, only the health check."""

from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from fakes.speech_server import speech_server
from firstword.errors import ConfigError
from firstword.server.keys import read_keys

pytestmark = pytest.mark.timeout(60)


@pytest.mark.anyio
async def test_every_route_but_ping_asks_for_a_key() -> None:
    async with speech_server(keys=("first", "second")) as server, httpx.AsyncClient(base_url=server.url) as client:
        assert (await client.get("/ping")).status_code == 200
        for headers in ({}, {"Authorization": "Bearer third"}, {"Authorization": "Basic second"}):
            refused = await client.post("/invocations", json={"text": "Hi."}, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
            assert refused.headers["www-authenticate"] == "Bearer"
        assert (await client.get("/metrics")).status_code == 401
        held = {"Authorization": "Bearer second"}
        assert (await client.post("/invocations", json={"text": "Hi."}, headers=held)).status_code == 200


@pytest.mark.anyio
async def test_a_session_asks_for_a_key_too() -> None:
    async with speech_server(keys=("only",)) as server:
        address = server.url.replace("http", "ws") + "/invocations-bidirectional-stream"
        with pytest.raises(InvalidStatus):
            await connect(address, proxy=None)
        async with connect(address, proxy=None, additional_headers={"Authorization": "Bearer only"}) as websocket:
            assert "ready" in str(await websocket.recv())


def test_keys_are_read_one_a_line(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("# for the agent\nfirst\n\n second \n")
    assert read_keys(str(file)) == ("first", "second")


@pytest.mark.parametrize("content", [None, "", "# nothing\n"])
def test_a_file_without_keys_is_no_key_file(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "keys"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ConfigError):
        read_keys(str(file))
