"""Speech servers to measure: one that is running, or one started for the occasion, by every route asked for."""

import contextlib
import os
from collections.abc import AsyncIterator, Sequence

from firstword.errors import UsageError
from firstword.stack.launcher import Emulator, Speech, Stack
from firstword.stack.parts import Part

__all__ = ["ENDPOINT", "speech_targets"]

ENDPOINT = Emulator().endpoint


@contextlib.asynccontextmanager
async def speech_targets(
    routes: Sequence[str], *, url: str | None = None, whole_message: bool = False, environ: dict[str, str] | None = None
) -> AsyncIterator[dict[str, str]]:
    """A target for each route. The emulator stands in for SageMaker unless AWS endpoints are set already."""
    known = ("websocket", "deltas", "invocations", "sse", "sagemaker")
    unknown = [route for route in routes if route not in known]
    if unknown:
        raise UsageError(f"There is no route {unknown[0]!r}; one of: {', '.join(known)}.")
    if url is not None and (whole_message or "sagemaker" in routes):
        raise UsageError("--url measures that server as it is.", hint="Leave it out for --whole-message or sagemaker.")
    if url is not None:
        yield dict.fromkeys(routes, url)
        return
    told = {**(environ or {}), **({"FIRSTWORD_SERVER_WHOLE_MESSAGE": "true"} if whole_message else {})}
    parts: list[Part] = [Speech(environ=told)]
    if "sagemaker" in routes:
        parts.append(Emulator())
    async with Stack(*parts) as stack:
        os.environ.update(stack.exports)  # read by the AWS SDKs when the route is opened
        yield {route: f"endpoint:{ENDPOINT}" if route == "sagemaker" else stack.speech_url for route in routes}
