"""The stacks that all voices and the agent of a place share: brought up before either, taken down after the last.

Above: the operations of both tools.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from firstword.errors import InfraError
from firstword.infra.deployment import AgentDeployment
from firstword.infra.site import Site
from firstword.infra.toolkit.leftovers import Leftover, existing, purge
from firstword.infra.toolkit.stacks import deployed_options, find_stack, stacks_of

__all__ = ["Teardown", "agent_on", "plan_teardown", "tear_down"]


@dataclass(frozen=True, kw_only=True)
class Teardown:
    """What went, what stays because others use it, what stays on purpose, what was purged."""

    removed: tuple[str, ...]
    still_used_by: tuple[str, ...]
    left: tuple[Leftover, ...]
    purged: tuple[Leftover, ...] = ()


def agent_on(site: Site, endpoint: str) -> str | None:
    """The stack of a deployed agent that speaks through `endpoint`, if there is one."""
    try:
        deployed = deployed_options(site.cloud, site.place.agent_stack, AgentDeployment)
    except InfraError as error:
        if error.code == "foreign_stack":
            return None
        raise
    return site.place.agent_stack if deployed is not None and deployed.endpoint_name == endpoint else None


def users(site: Site) -> list[str]:
    """Stacks of this prefix that are not the shared ones: voices and the agent."""
    shared = (site.place.foundation_stack, site.place.cache_stack, site.place.builder_stack)
    return [s.name for s in stacks_of(site.cloud, site.place.prefix) if not s.name.startswith(shared)]


def shared_stacks(site: Site) -> list[str]:
    """Those of the shared stacks that are there, in the order they go."""
    place = site.place
    there = {stack.name for stack in stacks_of(site.cloud, place.prefix)}
    builders = sorted(name for name in there if name.startswith(place.builder_stack))
    return [*builders, *(name for name in (place.cache_stack, place.foundation_stack) if name in there)]


def plan_teardown(site: Site, stack: str, *, and_purge: bool) -> Teardown:
    """What `tear_down` would do; changes nothing."""
    removed = [stack] if find_stack(site.cloud, stack) is not None else []
    others = [name for name in users(site) if name != stack]
    left = tuple(existing(site.cloud, site.place))
    purges = and_purge and not others
    return Teardown(
        removed=tuple(removed if others else [*removed, *shared_stacks(site)]),
        still_used_by=tuple(others),
        left=() if purges else left,
        purged=left if purges else (),
    )


def tear_down(site: Site, stack: str, *, what: Literal["voice", "agent"], and_purge: bool, again: str) -> Teardown:
    """Remove `stack`, then the shared stacks if nothing else uses them; with `and_purge`, what they leave as well.

    Asks before each step. Raises InfraError when the answer is no, or when something could not be removed; Interrupted
    when it was stopped, with `again` as the command that goes on.
    """
    found = find_stack(site.cloud, stack)
    if found is not None and not site.report.approve(f"Remove the {what} {stack}?", [f"{stack} ({found.status})"]):
        raise InfraError("Not approved; nothing was removed.", code="not_approved")
    others = [name for name in users(site) if name != stack]
    doomed = [stack] if found is not None else []
    if not others:
        doomed += shared_stacks(site)
    with site.stages(doomed, go_on=f"Run {again} again to go on.") as begin:
        for name in doomed:
            begin(f"remove {name}")
            site.remove(name)
        left = existing(site.cloud, site.place)
        purged = _purged(site, left, others, begin) if and_purge and left else ()
    return Teardown(
        removed=tuple(doomed), still_used_by=tuple(others), left=() if purged else tuple(left), purged=purged
    )


def _purged(site: Site, left: list[Leftover], others: list[str], begin: Callable[[str], None]) -> tuple[Leftover, ...]:
    if others:
        raise InfraError(
            f"Nothing was purged: {', '.join(others)} still uses it.", code="still_used", hint="Remove those first."
        )
    lines = [f"{item.kind}: {item.name}" for item in left]
    if not site.report.approve("Purge these for good, with everything in them?", lines):
        raise InfraError("Not approved; nothing was purged.", code="not_approved")
    begin("purge")
    return tuple(purge(site.cloud, site.place))
