"""InvokeEndpoint and InvokeEndpointWithResponseStream: one POST to the container's `/invocations`.

Only the headers of the API reach the container. A container's refusal becomes ModelError with its own status; a
response stream is cut at its own boundaries (`cuts`), and errors after its start travel in it.
"""

import asyncio
import contextlib
import secrets
from dataclasses import dataclass

import httpx

from firstword.config import EmulatorSettings
from firstword.emulator import eventstream
from firstword.emulator.http.exchange import Exchange, Request
from firstword.emulator.sagemaker.cuts import Cutter
from firstword.emulator.sagemaker.endpoints import Endpoints, model_error, variant_of
from firstword.emulator.upstream import pieces
from firstword.errors import EmulatedError, RemoteError

__all__ = ["Invocations"]

_VALIDATION = "ValidationError"
_ATTRIBUTES = "x-amzn-sagemaker-custom-attributes"
_PASSED_ON = (
    "content-type",
    _ATTRIBUTES,
    "x-amzn-sagemaker-inference-id",
    "x-amzn-sagemaker-session-id",
    "x-amzn-sagemaker-target-model",
    "x-amzn-sagemaker-prefix-aware-id",
)
_PASSED_BACK = (_ATTRIBUTES, "x-amzn-sagemaker-new-session-id", "x-amzn-sagemaker-closed-session-id")
# A part does not wait longer than this for the bytes that would fill it.
_HOLD_S = 0.005
_TOO_LONG = (
    "Your invocation timed out while waiting for a response from container {variant}. "
    "Review the latency metrics for each container in Amazon CloudWatch, resolve the issue, and try again."
)


@dataclass(frozen=True, kw_only=True)
class Invocations:
    """The two operations, over one HTTP client."""

    client: httpx.AsyncClient
    endpoints: Endpoints
    settings: EmulatorSettings

    async def invoke(self, exchange: Exchange, name: str, body: bytes) -> None:
        """Raises EmulatedError for what AWS answers with an error."""
        url, variant, log = self._target(exchange, name)
        try:
            async with (
                asyncio.timeout(self.settings.invoke_timeout_s),
                _posted(self.client, url, exchange, body) as answer,
            ):
                content = await answer.aread()
        except TimeoutError as error:
            raise model_error(0, _TOO_LONG.format(variant=variant), variant, log) from error
        except httpx.HTTPError as error:
            raise _unavailable() from error
        if not answer.is_success:
            raise model_error(answer.status_code, content.decode("utf-8", "replace"), variant, log)
        headers = [*_answer_headers(answer, variant), ("content-length", str(len(content)))]
        await exchange.start(200, [("content-type", answer.headers.get("content-type", "")), *headers])
        await exchange.send(content)
        await exchange.finish()

    async def stream(self, exchange: Exchange, name: str, body: bytes) -> None:
        """As `invoke`, with the answer as an event stream; what goes wrong after its start is told in it."""
        url, variant, log = self._target(exchange, name)
        try:
            async with (
                asyncio.timeout(self.settings.stream_timeout_s),
                _posted(self.client, url, exchange, body) as answer,
            ):
                if not answer.is_success:
                    content = await answer.aread()
                    raise model_error(answer.status_code, content.decode("utf-8", "replace"), variant, log)
                await self._relay(exchange, answer, variant)
        except TimeoutError as error:
            if not exchange.started:
                raise model_error(0, _TOO_LONG.format(variant=variant), variant, log) from error
            await _break(exchange, "ModelInvocationTimeExceeded", _TOO_LONG.format(variant=variant))
        except httpx.HTTPError as error:
            raise _unavailable() from error
        await exchange.finish()

    async def _relay(self, exchange: Exchange, answer: httpx.Response, variant: str) -> None:
        seed = self.settings.chunk_seed if self.settings.chunk_seed is not None else secrets.randbelow(2**31)
        headers = [
            ("content-type", eventstream.CONTENT_TYPE),
            ("x-amzn-sagemaker-content-type", answer.headers.get("content-type", "")),
            # Ours, so that a cut that broke a reader can be made again.
            ("x-firstword-chunk-seed", str(seed)),
            *_answer_headers(answer, variant),
        ]
        await exchange.start(200, headers)
        cutter = Cutter(seed)
        broken = False
        try:
            async with contextlib.aclosing(pieces(answer, idle_s=_HOLD_S)) as arriving:
                async for piece in arriving:
                    await _send_parts(exchange, cutter.feed(piece) if piece else cutter.flush())
        except RemoteError:
            broken = True
        await _send_parts(exchange, cutter.flush())
        if broken:
            await _break(exchange, "StreamBroken", "The container ended its answer before it was complete.")

    def _target(self, exchange: Exchange, name: str) -> tuple[str, str, str]:
        url = f"{self.endpoints.url(name, _VALIDATION)}/invocations"
        return url, variant_of(exchange.request), self.endpoints.log_stream(name)


def _posted(
    client: httpx.AsyncClient, url: str, exchange: Exchange, body: bytes
) -> contextlib.AbstractAsyncContextManager[httpx.Response]:
    return client.stream("POST", url, content=body, headers=_container_headers(exchange.request))


def _container_headers(request: Request) -> dict[str, str]:
    headers = {name: request.header(name) for name in _PASSED_ON if request.header(name)}
    return headers | {"accept": request.header("x-amzn-sagemaker-accept") or request.header("accept") or "*/*"}


def _answer_headers(answer: httpx.Response, variant: str) -> list[tuple[str, str]]:
    back = [(name, answer.headers[name]) for name in _PASSED_BACK if name in answer.headers]
    return [("x-amzn-invoked-production-variant", variant), *back]


async def _send_parts(exchange: Exchange, parts: list[bytes]) -> None:
    for part in parts:
        await exchange.send(eventstream.encode(eventstream.event("PayloadPart", part)))


async def _break(exchange: Exchange, code: str, message: str) -> None:
    error = eventstream.exception("ModelStreamError", {"ErrorCode": code, "Message": message})
    await exchange.send(eventstream.encode(error))


def _unavailable() -> EmulatedError:
    return EmulatedError("The container accepts no connections.", code="ServiceUnavailable", status=503)
