"""`agent-infra destroy`."""

from typing import Annotated

import typer

from firstword.cli.infra_options import Removing, spread
from firstword.cli.speech_infra.destroy import print_teardown
from firstword.infra.shared import plan_teardown, tear_down

__all__ = ["destroy"]


@spread
def destroy(
    common: Removing,
    bedrock_model_id: Annotated[str | None, typer.Option(help="Accepted and not needed.")] = None,  # noqa: ARG001
) -> None:
    """Remove the agent. What it shares with the voices goes with its last user; repositories and key stay, named."""
    site = common.site
    stack = site.place.agent_stack
    if common.dry_run:
        print_teardown(plan_teardown(site, stack, and_purge=common.purge), common)
        return
    again = f"agent-infra destroy{' --purge' if common.purge else ''}"
    print_teardown(tear_down(site, stack, what="agent", and_purge=common.purge, again=again), common)
