"""A conversation with a voice agent: prompts in, events and audio out, each with the time it came.

    async with connect_agent("http://127.0.0.1:8081") as agent:
        async for arrival in agent.ask("What is a tide?"):
            ...

The agent is a URL or the ARN of an AgentCore runtime; the door is server-sent events or `/ws`. Above it: demo, benches,
gateways.
"""

import contextlib
import uuid
from collections.abc import AsyncGenerator, Mapping
from types import TracebackType
from typing import Literal, Self

import msgspec

from firstword.client.address import route_url
from firstword.client.agent.arrival import AgentArrival, arrival_of, is_last
from firstword.client.agent.doors import SESSION_HEADER, Door, HttpDoor, SocketDoor
from firstword.config import ClientSettings
from firstword.errors import ConfigError, ConnectionLost, FirstwordError
from firstword.protocol.events import AgentEvent

__all__ = ["AgentConnection", "DoorName", "connect_agent", "open_door", "open_socket"]

type DoorName = Literal["sse", "ws"]


def connect_agent(
    target: str, *, door: DoorName = "sse", session_id: str | None = None, settings: ClientSettings | None = None
) -> "AgentConnection":
    """A conversation to be entered with `async with`.

    `target` is an agent's URL or a runtime's ARN. `session_id` (33 to 256 characters, made up if not given) is what the
    agent knows the conversation by. Raises UsageError for a target that is neither.
    """
    return AgentConnection(
        open_door(target, door, session_id or f"firstword-{uuid.uuid4().hex}", settings or ClientSettings.load())
    )


def open_door(target: str, door: DoorName, session_id: str, settings: ClientSettings) -> Door:
    """The way to an agent by its URL or ARN, for whoever passes on what comes without looking into it."""
    if door == "ws":
        return open_socket(target, session_id, settings)
    if not target.startswith("arn:"):
        return HttpDoor(target, session_id, settings)
    try:
        from firstword.client.agent.runtime import RuntimeDoor  # the AWS SDKs are an extra
    except ImportError as error:
        raise _no_sdk() from error
    return RuntimeDoor(target, session_id, settings)


def open_socket(target: str, session_id: str, settings: ClientSettings) -> SocketDoor:
    """The same by `/ws`, where one connection carries a whole conversation."""
    if not target.startswith("arn:"):
        address = route_url(target, "ws", "/ws")
        return SocketDoor(lambda: (address, {SESSION_HEADER: session_id}), settings)
    try:
        from firstword.client.agent.runtime import runtime_socket
    except ImportError as error:
        raise _no_sdk() from error
    return SocketDoor(runtime_socket(target, session_id), settings)


def _no_sdk() -> ConfigError:
    return ConfigError("The AWS SDKs are not installed.", hint="Install firstword[aws].")


class AgentConnection:
    """One answer at a time."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._request_id: str | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._door.aclose()

    async def ask(
        self,
        prompt: str,
        *,
        mode: str = "bidi",
        voice: str | None = None,
        speed: float | None = None,
        pronunciations: Mapping[str, str] | None = None,
        request_id: str | None = None,
    ) -> AsyncGenerator[AgentArrival]:
        """The answer as it comes, up to and with its one last event: `agent_end`, `interrupted` or a terminal `error`.

        Raises a TransportError when the way breaks or the events end before the last. An `error` event is given, not
        raised: it may come after audio that was heard. Leaving the loop early cancels the answer.
        """
        name = request_id or uuid.uuid4().hex[:12]
        words = dict(pronunciations) if pronunciations else None
        asked = {
            "prompt": prompt, "mode": mode, "voice": voice, "speed": speed, "pronunciations": words, "request_id": name,
        }  # fmt: skip
        over = False
        self._request_id = name
        try:
            async with contextlib.aclosing(self._door.ask(_payload(asked))) as items:
                async for item in items:
                    arrival = arrival_of(item)
                    if arrival is None or not _belongs(arrival.event, name):
                        continue
                    over = is_last(arrival)
                    yield arrival
                    if over:
                        return
            raise ConnectionLost("The agent's events ended before the last.", retryable=True)
        finally:
            self._request_id = None
            if not over:
                with contextlib.suppress(FirstwordError):
                    await self._door.abandon(_cancel(name, None))

    async def cancel(self, *, played_s: float | None = None) -> AgentEvent | None:
        """Stop the running answer; `played_s` is how much of its audio has been heard.

        The answer's own events end in `interrupted`. Over server-sent events the same is told here too; None over
        `/ws`, or if nothing is running.
        """
        if self._request_id is None:
            return None
        told = await self._door.tell(_cancel(self._request_id, played_s))
        arrivals = [arrival for text in told if (arrival := arrival_of(text)) is not None]
        return arrivals[-1].event if arrivals else None


def _belongs(event: AgentEvent | None, request_id: str) -> bool:
    """Not the late end of an answer before this one; what names no request of ours is an answer's refusal."""
    return event is None or event.request_id in ("", request_id)


def _cancel(request_id: str, played_s: float | None) -> bytes:
    return _payload({"action": "cancel", "request_id": request_id, "played_s": played_s})


def _payload(fields: Mapping[str, object]) -> bytes:
    return msgspec.json.encode({name: value for name, value in fields.items() if value is not None})
