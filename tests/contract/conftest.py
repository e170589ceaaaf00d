"""The peers the contract is run against: a server in this process, and any whose URL the environment names."""

import os
from collections.abc import AsyncIterator

import pytest

from contract.wire import SpeechPeer, UrlPeer
from fakes.speech_server import speech_server

_PEERS = ["in process", *os.environ.get("FIRSTWORD_TEST_SPEECH_URLS", "").split()]


@pytest.fixture(scope="module", params=_PEERS)
async def speech(anyio_backend: str, request: pytest.FixtureRequest) -> AsyncIterator[SpeechPeer]:
    if request.param != "in process":
        yield UrlPeer(request.param)
        return
    async with speech_server() as server:
        yield UrlPeer(server.url)
