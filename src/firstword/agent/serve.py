"""The agent as a process: the app on a port, until told to stop.

Above it: `firstword agent` and the container's entry point. Below it: `app`.
"""

import logging
from typing import Final

from firstword.agent.app import create_app
from firstword.agent.voice import ClientVoice
from firstword.config import AgentSettings
from firstword.listen import serve_until_stopped

__all__ = ["serve_agent"]

_DRAIN_S: Final = 5.0
_MAX_MESSAGE_BYTES: Final = 1_048_576
_CHATTY: Final = ("bedrock_agentcore", "httpx", "strands")


async def serve_agent(settings: AgentSettings) -> None:
    """Serve until SIGTERM or SIGINT; prints where it listens. Raises UsageError or ConfigError for wrong settings."""
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    app = create_app(settings, ClientVoice(settings))
    await serve_until_stopped(
        app, host=settings.host, port=settings.port, drain_s=_DRAIN_S, ws_max_size=_MAX_MESSAGE_BYTES
    )
