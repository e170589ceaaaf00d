"""`firstword web`: the page, in front of an agent that is given or a local stack that is started."""

import asyncio
import contextlib
import signal
import webbrowser
from collections.abc import AsyncIterator
from typing import Annotated

import typer

from firstword.config import WebSettings
from firstword.errors import ConfigError
from firstword.kokoro.voices import VOICES
from firstword.listen import check_address_free, listening
from firstword.stack.launcher import Agent, Llm, Speech, Stack
from firstword.web.access import LOOPBACK, Access, read_keys
from firstword.web.gateway import create_gateway
from firstword.web.relay import Relay

__all__ = ["web"]


def web(
    agent: Annotated[str | None, typer.Option(help="URL or runtime ARN; without it one is started.")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on; any but loopback needs a key file.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 picks one.")] = None,
    api_key_file: Annotated[str | None, typer.Option(help="File of keys, one a line.")] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Serve the page and relay it to an agent."""
    settings = WebSettings.load(host=host, port=port, api_key_file=api_key_file)
    keys = read_keys(settings.api_key_file)
    if settings.host not in LOOPBACK and not keys:
        raise ConfigError(f"{settings.host} is not loopback, and there is no key.", hint="Add --api-key-file FILE.")
    check_address_free(settings.host, settings.port)
    asyncio.run(_serve(settings, keys, agent, open_page=open_page))


async def _serve(settings: WebSettings, keys: tuple[str, ...], agent: str | None, *, open_page: bool) -> None:
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    async with _agent(agent) as address:
        access = Access(hosts=(*LOOPBACK, settings.host), keys=keys)
        gateway = create_gateway(Relay(address, settings), access, settings, tuple(VOICES))
        async with listening(gateway, host=settings.host, port=settings.port) as url:
            print(f"listening on {url}", flush=True)
            if open_page:
                await asyncio.to_thread(webbrowser.open, url)
            await stop.wait()


@contextlib.asynccontextmanager
async def _agent(given: str | None) -> AsyncIterator[str]:
    if given is not None:
        yield given
        return
    typer.echo("starting the voice, the language model and the agent …", err=True)
    async with Stack(Speech(), Llm(), Agent()) as stack:
        yield stack.agent_url
