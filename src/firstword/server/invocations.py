"""`POST /invocations` as it reads and writes: our own request, our own events and errors."""

from collections.abc import AsyncGenerator, AsyncIterator

from starlette.responses import Response

from firstword.config import ServerSettings
from firstword.errors import FirstwordError
from firstword.server.bodies import sse_body
from firstword.server.invocation import Invocation, read_invocation
from firstword.server.metrics import Route
from firstword.server.replies import error_reply
from firstword.speech.items import Item

__all__ = ["InvocationsDialect"]


class InvocationsDialect:
    """A `posts.Dialect`."""

    route: Route = "invocations"

    def read(self, body: bytes, settings: ServerSettings) -> Invocation:
        return read_invocation(body, settings)

    def events(
        self, items: AsyncIterator[Item], asked: Invocation, *, request_id: str, voice: str
    ) -> AsyncGenerator[bytes]:
        return sse_body(items, asked, request_id=request_id, voice=voice)

    def refuse(self, error: FirstwordError, *, field: str | None, request_id: str | None) -> Response:
        return error_reply(error, field=field, request_id=request_id)
