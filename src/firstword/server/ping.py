"""Health and metrics: what a load balancer and a scraper read. Both answer whatever the voice is doing."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firstword.server.metrics import METRICS_CONTENT_TYPE
from firstword.server.serving import Serving, State

__all__ = ["metrics", "ping"]


async def ping(request: Request) -> Response:
    """200 once the voice is loaded and warm; 503 before, after it failed to load, and while the server drains."""
    serving: Serving = request.app.state.serving
    ready = serving.state is State.READY
    return JSONResponse({"status": serving.state.value}, status_code=200 if ready else 503)


async def metrics(request: Request) -> Response:
    serving: Serving = request.app.state.serving
    return Response(serving.metrics_page(), headers={"Content-Type": METRICS_CONTENT_TYPE})
