"""`firstword serve`: the speech server."""

from typing import Annotated

import typer

from firstword.config import AssetSettings, LogSettings, ServerSettings, VoiceSettings

__all__ = ["serve"]


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (default 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 picks one (default 8080).")] = None,
    api_key_file: Annotated[str | None, typer.Option(help="File of bearer keys, one a line.")] = None,
    allow_no_key: Annotated[
        bool, typer.Option("--allow-no-key", help="Listen beyond this machine without asking for a key.")
    ] = False,
) -> None:
    """Run the speech server. Prints `listening on http://HOST:PORT` once it can speak; SIGTERM drains it."""
    from firstword.kokoro.loader import load_synthesizer
    from firstword.server.listening import serve as run
    from firstword.server.logs import configure_logs

    configure_logs(LogSettings.load())
    voice = VoiceSettings.load()
    settings = ServerSettings.load(
        host=host, port=port, api_key_file=api_key_file, allow_no_key=True if allow_no_key else None
    )
    run(
        settings,
        lambda: load_synthesizer(voice, AssetSettings.load()),
        default_voice=voice.default_voice,
        announce=lambda url: print(f"listening on {url}", flush=True),
    )
