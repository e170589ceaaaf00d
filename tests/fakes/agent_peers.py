"""An agent with all but real models around it: a scripted language model, a speech peer in memory, both doors."""

import json
from base64 import b64decode
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from fakes.speech_peer import SpeechPeer, spoken
from firstword.agent.app import create_app
from firstword.agent.voice import ClientVoice, SaidHow, WholeSpeech
from firstword.client.connection import Connection
from firstword.client.part import Options
from firstword.config import AgentSettings, ClientSettings
from firstword.listen import listening
from firstword.llm.scripted.script import Script
from firstword.llm.scripted.server import ScriptedModel

SESSION_HEADER = "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id"
ENDS = {"agent_end", "interrupted", "error"}

type Told = dict[str, Any]


def session(number: int = 1) -> str:
    """A session id as the runtime makes them."""
    return f"{number:036}"


@dataclass
class PeerVoice:
    """The real client on a speech peer of its own for each answer, since the two doors run on two event loops.

    Says 10 ms a character; `faults` are what the peers are made with.
    """

    faults: dict[str, Any] = field(default_factory=dict)
    peers: list[SpeechPeer] = field(default_factory=list)

    @asynccontextmanager
    async def connect(self, how: SaidHow) -> AsyncIterator[Connection]:
        options = Options(voice=how.voice, speed=how.speed, pronunciations=how.pronunciations, timings=True)
        settings = ClientSettings(reconnect_delay_s=0.0, cancel_timeout_s=2.0, close_timeout_s=2.0)
        peer = SpeechPeer(**self.faults)
        self.peers.append(peer)
        connection = Connection(peer.dial, options, settings, first_chunk="sentence", delivery="sentences")
        async with peer.running(), connection as speech:
            yield speech

    def texts(self) -> list[str]:
        """What was asked to be said, in the order it came."""
        return [text for peer in self.peers for text in peer.texts()]

    async def whole(self, text: str, how: SaidHow, *, request_id: str) -> WholeSpeech:
        return WholeSpeech(voice=how.voice or "af_heart", pcm=spoken(text))


@dataclass(kw_only=True)
class Caller:
    """Someone who talks to the agent; `model` is what the agent thinks with, `voice` what it speaks with."""

    url: str
    http: httpx.AsyncClient
    model: ScriptedModel
    voice: PeerVoice

    async def ask(self, payload: Any, session_id: str | None = None) -> list[Told]:
        """All events of one `/invocations` call."""
        return [event async for event in self.events(payload, session_id)]

    async def events(self, payload: Any, session_id: str | None = None) -> AsyncGenerator[Told]:
        headers = {SESSION_HEADER: session_id} if session_id is not None else {}
        async with self.http.stream("POST", "/invocations", json=payload, headers=headers) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    @asynccontextmanager
    async def socket(self, session_id: str | None = None) -> AsyncIterator["Socket"]:
        headers = {SESSION_HEADER: session_id} if session_id is not None else {}
        async with connect(self.url.replace("http", "ws", 1) + "/ws", additional_headers=headers) as websocket:
            yield Socket(websocket)

    async def status(self) -> str:
        return str((await self.http.get("/ping")).json()["status"])


@dataclass
class Socket:
    """The `/ws` door: events as over SSE, audio as `{"type": "audio", "pcm": bytes}`."""

    websocket: ClientConnection

    async def send(self, payload: Any) -> None:
        await self.websocket.send(json.dumps(payload))

    async def next(self) -> Told:
        frame = await self.websocket.recv()
        return {"type": "audio", "pcm": frame} if isinstance(frame, bytes) else json.loads(frame)

    async def until(self, *types: str) -> list[Told]:
        """Events up to and with the first of one of these types."""
        told = [await self.next()]
        while told[-1]["type"] not in types:
            told.append(await self.next())
        return told


@asynccontextmanager
async def talking(script: Script, **settings: Any) -> AsyncIterator[Caller]:
    """An agent that runs, and someone to talk to it. Settings are AgentSettings'; with `speech` it speaks there."""
    model, voice = ScriptedModel(script), PeerVoice()
    async with listening(model.app) as model_url:
        chosen = AgentSettings(**{"model": f"openai:{model_url}", "system_prompt": "Talk.", **settings})
        app = create_app(chosen, ClientVoice(chosen) if "speech" in settings else voice)
        async with listening(app) as url, httpx.AsyncClient(base_url=url, timeout=30) as http:
            yield Caller(url=url, http=http, model=model, voice=voice)


def audio_of(told: list[Told]) -> bytes:
    """The PCM of either door's events."""
    chunks = (event for event in told if event["type"] in ("audio", "audio_chunk"))
    return b"".join(event["pcm"] if event["type"] == "audio" else b64decode(event["data"]) for event in chunks)


def text_of(told: list[Told]) -> str:
    return "".join(event["text"] for event in told if event["type"] == "text_delta")


def kinds(told: list[Told]) -> list[str]:
    """Types in order, repetitions left out."""
    types = [event["type"] for event in told]
    return [kind for at, kind in enumerate(types) if at == 0 or types[at - 1] != kind]
