"""`speech-infra destroy`."""

from firstword.cli.infra_options import Model, Removing, print_json, spread
from firstword.infra.deployment import model_kind
from firstword.infra.shared import Teardown, agent_on, plan_teardown, tear_down

__all__ = ["destroy", "print_teardown"]


@spread
def destroy(model: Model, common: Removing) -> None:
    """Remove a voice: endpoint, configuration, model, scaling. What is shared goes with the last user of it; the
    weights bucket, the image repositories and the key stay, and are named."""
    model_kind(model)
    site, stack = common.site, common.site.place.speech_stack(model)
    if agent := agent_on(site, site.place.endpoint_name(model)):
        site.report.say(f"{agent} still speaks through this voice: remove it first with agent-infra destroy")
    if common.dry_run:
        print_teardown(plan_teardown(site, stack, and_purge=common.purge), common)
        return
    again = f"speech-infra destroy {model}{' --purge' if common.purge else ''}"
    print_teardown(tear_down(site, stack, what="voice", and_purge=common.purge, again=again), common)


def print_teardown(done: Teardown, common: Removing) -> None:
    """What went, or on a dry run would go, and what stays, with the command that would remove it."""
    if common.as_json:
        print_json(done)
        return
    removed, purged = ("Would remove", "Would purge") if common.dry_run else ("Removed", "Purged")
    print(f"{removed}: {', '.join(done.removed) or 'nothing was there'}.")
    if done.still_used_by:
        print(f"Shared stacks stay, used by: {', '.join(done.still_used_by)}.")
    for item in done.purged:
        when = ", in seven days" if item.kind == "key" else ""
        print(f"{purged} {item.kind}: {item.name}{when}")
    if done.left:
        print("Left; the next deployment takes over what it needs of it, --purge removes it:")
        for item in done.left:
            print(f"  {item.kind}: {item.name}\n      {item.remove_with}")
