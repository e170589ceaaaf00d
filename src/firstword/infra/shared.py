"""The stacks that all voices and the agent of a place share: brought up before either, taken down after the last.

Above: the operations of both tools.
"""

from dataclasses import dataclass
from typing import Literal

from firstword.errors import InfraError
from firstword.infra.deployment import AgentDeployment
from firstword.infra.site import Site
from firstword.infra.toolkit.leftovers import Leftover, existing, purge
from firstword.infra.toolkit.stacks import deployed_options, find_stack, stacks_of

__all__ = ["Teardown", "agent_on", "remove_shared", "remove_stack", "tear_down"]


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


def remove_stack(site: Site, name: str) -> list[str]:
    """Remove one stack; its name if there was one."""
    site.report.stage(f"remove {name}")
    return [name] if site.remove(name) else []


def remove_shared(site: Site) -> list[str]:
    """Remove the shared stacks, last first. Only to be called when `users` is empty."""
    names = [s.name for s in stacks_of(site.cloud, site.place.prefix) if s.name.startswith(site.place.builder_stack)]
    removed = []
    for name in (*names, site.place.cache_stack, site.place.foundation_stack):
        removed += remove_stack(site, name)
    return removed


def tear_down(site: Site, stack: str, *, what: Literal["voice", "agent"], and_purge: bool) -> Teardown:
    """Remove `stack`, then the shared stacks if nothing else uses them; with `and_purge`, what they leave as well.

    Asks before each step. Raises InfraError when the answer is no, or when something could not be removed.
    """
    found = find_stack(site.cloud, stack)
    if found is not None and not site.report.approve(f"Remove the {what} {stack}?", [f"{stack} ({found.status})"]):
        raise InfraError("Not approved; nothing was removed.", code="not_approved")
    removed = remove_stack(site, stack)
    others = users(site)
    if not others:
        removed += remove_shared(site)
    left = existing(site.cloud, site.place)
    if not (and_purge and left):
        return Teardown(removed=tuple(removed), still_used_by=tuple(others), left=tuple(left))
    if others:
        raise InfraError(
            f"Nothing was purged: {', '.join(others)} still uses it.", code="still_used", hint="Remove those first."
        )
    lines = [f"{item.kind}: {item.name}" for item in left]
    if not site.report.approve("Purge these for good, with everything in them?", lines):
        raise InfraError("Not approved; nothing was purged.", code="not_approved")
    site.report.stage("purge")
    purged = purge(site.cloud, site.place)
    return Teardown(removed=tuple(removed), still_used_by=(), left=(), purged=tuple(purged))
