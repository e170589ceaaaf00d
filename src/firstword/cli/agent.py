"""`firstword agent`: the voice agent as AgentCore runs it, on this machine."""

import asyncio
from dataclasses import replace
from typing import Annotated

import typer

from firstword.agent.serve import serve_agent
from firstword.client.address import check_address
from firstword.config import AgentSettings, LogSettings
from firstword.listen import check_address_free
from firstword.server.logs import configure_logs
from firstword.stack.launcher import Llm, Stack

__all__ = ["agent"]


def agent(
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 picks one.")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    model: Annotated[str | None, typer.Option(help="local | openai:URL[#MODEL] | bedrock:MODEL_ID")] = None,
    speech: Annotated[str | None, typer.Option(help="URL of a speech server, or endpoint:NAME.")] = None,
    region: Annotated[str | None, typer.Option(help="AWS region of endpoint and model.")] = None,
) -> None:
    """Run the voice agent: /invocations, /ws and /ping."""
    settings = AgentSettings.load(port=port, host=host, model=model, speech=speech, region=region)
    check_address(settings.speech)
    check_address_free(settings.host, settings.port)
    configure_logs(LogSettings.load())
    asyncio.run(_serve(settings))


async def _serve(settings: AgentSettings) -> None:
    if settings.model != "local":
        await serve_agent(settings)
        return
    async with Stack(Llm()) as stack:
        await serve_agent(replace(settings, model=f"openai:{stack.llm_url}"))
