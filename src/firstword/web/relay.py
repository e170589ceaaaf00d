"""The way from the gateway to an agent: its events as bytes, its socket as frames. It looks into neither.

An agent is a URL (`http://127.0.0.1:9000`) or the ARN of an AgentCore runtime, which is reached with the AWS
credentials of this process. Above it: `gateway`.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, Protocol

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from firstword.config import WebSettings
from firstword.errors import ConfigError, ConnectFailed, ConnectionLost, RemoteError

__all__ = ["Relay", "open_relay"]

_SESSION_HEADER: Final = "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id"
_READ_BYTES: Final = 65_536
_MAX_FRAME_BYTES: Final = 1_048_576


class Relay(Protocol):
    def events(self, payload: bytes, conversation: str) -> AsyncIterator[bytes]:
        """The agent's server-sent events, in whatever pieces they come.

        Raises ConnectFailed, RemoteError or ConnectionLost.
        """
        ...

    async def socket(self, conversation: str) -> ClientConnection:
        """An open socket to the agent. Raises ConnectFailed."""
        ...

    async def aclose(self) -> None: ...


def open_relay(agent: str, settings: WebSettings) -> Relay:
    """A relay to the agent of that URL or ARN. Raises ConfigError for anything else."""
    if agent.startswith(("http://", "https://")):
        return _UrlRelay(agent.rstrip("/"), settings)
    if agent.startswith("arn:"):
        return _RuntimeRelay(agent, settings)
    raise ConfigError(f"{agent!r} names no agent.", hint="Give a URL (http://HOST:PORT) or a runtime ARN.")


class _UrlRelay:
    def __init__(self, url: str, settings: WebSettings) -> None:
        self._url = url
        self._settings = settings
        timeout = httpx.Timeout(settings.agent_timeout_s, connect=settings.connect_timeout_s)
        self._client = httpx.AsyncClient(timeout=timeout, trust_env=False)

    async def events(self, payload: bytes, conversation: str) -> AsyncIterator[bytes]:
        headers = {"content-type": "application/json", "accept": "text/event-stream", _SESSION_HEADER: conversation}
        request = self._client.build_request("POST", f"{self._url}/invocations", content=payload, headers=headers)
        try:
            response = await self._client.send(request, stream=True)
        except httpx.HTTPError as error:
            raise ConnectFailed(f"The agent at {self._url} cannot be reached.", hint="Is it running?") from error
        try:
            if response.status_code != httpx.codes.OK:
                raise RemoteError(f"The agent answered {response.status_code}.")
            async for piece in response.aiter_raw():
                yield piece
        except httpx.HTTPError as error:
            raise ConnectionLost("The agent's answer broke off.") from error
        finally:
            await response.aclose()

    async def socket(self, conversation: str) -> ClientConnection:
        url = "ws" + self._url.removeprefix("http") + "/ws"
        return await _dial(url, {_SESSION_HEADER: conversation}, self._settings)

    async def aclose(self) -> None:
        await self._client.aclose()


class _RuntimeRelay:
    """An AgentCore runtime. The SDK blocks, so each of its reads leaves the event loop."""

    def __init__(self, arn: str, settings: WebSettings) -> None:
        import boto3
        from botocore.config import Config

        self._arn = arn
        self._region = arn.split(":")[3]
        self._settings = settings
        config = Config(
            read_timeout=settings.agent_timeout_s,
            connect_timeout=settings.connect_timeout_s,
            retries={"max_attempts": 1},
        )
        self._client = boto3.client("bedrock-agentcore", region_name=self._region, config=config)

    async def events(self, payload: bytes, conversation: str) -> AsyncIterator[bytes]:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            answer = await asyncio.to_thread(
                self._client.invoke_agent_runtime,
                agentRuntimeArn=self._arn,
                runtimeSessionId=conversation,
                contentType="application/json",
                accept="text/event-stream",
                payload=payload,
            )
            stream = answer["response"]._raw_stream  # the public reader holds small events back
            while piece := await asyncio.to_thread(stream.read1, _READ_BYTES):
                yield piece
        except ClientError as error:
            problem = error.response["Error"]
            raise RemoteError(f"AgentCore refused the call ({problem['Code']}).", code=problem["Code"]) from error
        except (BotoCoreError, OSError) as error:
            raise ConnectFailed(
                "AgentCore cannot be reached.", hint="Check the region, the credentials and the runtime's ARN."
            ) from error

    async def socket(self, conversation: str) -> ClientConnection:
        from bedrock_agentcore.runtime import AgentCoreRuntimeClient

        signer = AgentCoreRuntimeClient(region=self._region)
        url, headers = await asyncio.to_thread(signer.generate_ws_connection, self._arn, session_id=conversation)
        return await _dial(url, headers, self._settings)

    async def aclose(self) -> None:
        await asyncio.to_thread(self._client.close)


async def _dial(url: str, headers: dict[str, Any], settings: WebSettings) -> ClientConnection:
    try:
        return await connect(
            url,
            additional_headers=headers,
            open_timeout=settings.connect_timeout_s,
            max_size=_MAX_FRAME_BYTES,
            proxy=None,
        )
    except (OSError, WebSocketException, TimeoutError) as error:
        raise ConnectFailed("The agent's socket cannot be opened.", hint="Is the agent running?") from error
