"""`agent-infra destroy`."""

from typing import Annotated

import typer

from firstword.cli.infra_options import AsJson, Common, Config, Prefix, Profile, Region, Yes
from firstword.cli.speech_infra.destroy import Purge, print_teardown
from firstword.infra.shared import Teardown, tear_down
from firstword.infra.toolkit.leftovers import existing
from firstword.infra.toolkit.stacks import find_stack

__all__ = ["destroy"]


def destroy(
    bedrock_model_id: Annotated[str | None, typer.Option(help="Accepted and not needed.")] = None,  # noqa: ARG001
    purge: Purge = False,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go and what would stay.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Remove the agent. What it shares with the voices goes with its last user; repositories and key stay, named."""
    site = Common(region=region, profile=profile, name_prefix=name_prefix, config=config, yes=yes).site
    stack = site.place.agent_stack
    if dry_run:
        there = find_stack(site.cloud, stack) is not None
        left = () if purge else tuple(existing(site.cloud, site.place))
        print_teardown(Teardown(removed=(stack,) if there else (), still_used_by=(), left=left), as_json)
        return
    print_teardown(tear_down(site, stack, what="agent", and_purge=purge), as_json)
