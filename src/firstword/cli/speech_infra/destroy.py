"""`speech-infra destroy`."""

from typing import Annotated

import typer

from firstword.cli.infra_options import AsJson, Common, Config, Model, Prefix, Profile, Region, Yes, print_json
from firstword.infra.deployment import model_kind
from firstword.infra.shared import Teardown, agent_on, tear_down
from firstword.infra.toolkit.leftovers import existing
from firstword.infra.toolkit.stacks import find_stack

__all__ = ["Purge", "destroy", "print_teardown"]

Purge = Annotated[bool, typer.Option("--purge", help="Also remove weights, images and key for good, after asking.")]


def destroy(
    model: Model,
    purge: Purge = False,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go and what would stay.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Remove a voice: endpoint, configuration, model, scaling. What is shared goes with the last user of it; the
    weights bucket, the image repositories and the key stay, and are named."""
    model_kind(model)
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config, yes=yes)
    site, stack = common.site, common.site.place.speech_stack(model)
    if agent := agent_on(site, site.place.endpoint_name(model)):
        site.report.say(f"{agent} still speaks through this voice: remove it first with agent-infra destroy")
    if dry_run:
        there = find_stack(site.cloud, stack) is not None
        left = () if purge else tuple(existing(site.cloud, site.place))
        print_teardown(Teardown(removed=(stack,) if there else (), still_used_by=(), left=left), as_json)
        return
    print_teardown(tear_down(site, stack, what="voice", and_purge=purge), as_json)


def print_teardown(done: Teardown, as_json: bool) -> None:
    """What went and what stays, with the command that would remove it."""
    if as_json:
        print_json(done)
        return
    print(f"Removed: {', '.join(done.removed) or 'nothing was there'}.")
    if done.still_used_by:
        print(f"Shared stacks stay, used by: {', '.join(done.still_used_by)}.")
    for item in done.purged:
        when = ", in seven days" if item.kind == "key" else ""
        print(f"Purged {item.kind}: {item.name}{when}")
    if done.left:
        print("Left, to be used again by the next deployment (--purge removes them):")
        for item in done.left:
            print(f"  {item.kind}: {item.name}\n      {item.remove_with}")
