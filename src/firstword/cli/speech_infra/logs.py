"""`speech-infra logs`."""

import threading
from typing import Annotated

import typer

from firstword.cli.infra_options import Common, Model, print_json, spread
from firstword.infra.deployment import model_kind
from firstword.infra.site import Site
from firstword.infra.toolkit.endpoints import last_log_lines, log_group

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
    found = last_log_lines(site.cloud, group, lines)
    if as_json:
        print_json({"group": group, "lines": found})
        return
    if found:
        print(*found, sep="\n", flush=True)
    else:
        site.report.say(f"{group} holds nothing yet")
    while follow:
        threading.Event().wait(site.settings.poll_s)
        newest = last_log_lines(site.cloud, group, lines)
        fresh = newest[newest.index(found[-1]) + 1 :] if found and found[-1] in newest else newest
        if fresh:
            print(*fresh, sep="\n", flush=True)
            found = newest
