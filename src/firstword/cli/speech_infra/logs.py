"""`speech-infra logs`."""

import threading
from typing import Annotated

import typer

from firstword.cli.infra_options import Common, Model, print_json, spread
from firstword.errors import UsageError
from firstword.infra.deployment import model_kind
from firstword.infra.site import Site
from firstword.infra.toolkit.endpoints import log_group
from firstword.infra.toolkit.logs import LogTail

__all__ = ["Follow", "Lines", "logs", "show_logs"]

Lines = Annotated[int, typer.Option(min=1, max=1000, help="How many of the newest lines.")]
Follow = Annotated[bool, typer.Option("--follow", "-f", help="Go on with what comes.")]


@spread
def logs(model: Model, common: Common, lines: Lines = 50, follow: Follow = False) -> None:
    """The newest lines of the newest container."""
    model_kind(model)
    show_logs(common.site, log_group(common.site.place.endpoint_name(model)), lines, follow, common.as_json)


def show_logs(site: Site, group: str, lines: int, follow: bool, as_json: bool) -> None:
    """Print the group's newest lines, and what follows until interrupted."""
    if follow and as_json:
        raise UsageError("--json is one answer and --follow never ends: pass one of them.", code="json_follow")
    tail = LogTail(site.cloud, group, lines)
    found = tail.more()
    if as_json:
        print_json({"group": group, "lines": found})
        return
    if found:
        print(*found, sep="\n", flush=True)
    else:
        site.report.say(f"{group} holds nothing yet")
    while follow:
        threading.Event().wait(site.settings.poll_s)
        if fresh := tail.more():
            print(*fresh, sep="\n", flush=True)
