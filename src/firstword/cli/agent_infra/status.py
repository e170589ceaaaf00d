"""`agent-infra status`, `logs` and `doctor`."""

from firstword.cli.infra_options import Common, print_json, print_table, spread
from firstword.cli.speech_infra.doctor import Checking, show_findings
from firstword.cli.speech_infra.logs import Follow, Lines, show_logs
from firstword.errors import InfraError
from firstword.infra.agent.viewing import RUNTIME_ENDPOINT, agent_status
from firstword.infra.checking import check_machine, check_site
from firstword.infra.toolkit.agents import find_runtime, runtime_log_group

__all__ = ["doctor", "logs", "status"]


@spread
def status(common: Common) -> int:
    """The agent as it stands. Exit 0 ready, 1 otherwise."""
    site = common.site
    found = agent_status(site)
    if common.as_json:
        print_json(found)
    else:
        rows = [(name, str(value)) for name, value in found.rows() if value]
        if found.state == "ready" and found.endpoint_status != "InService":
            site.report.say(f"it has no sound now: its voice {found.endpoint} is {found.endpoint_status}")
        print_table(f"Agent in {site.place.region}", ("what", "is"), rows)
    return 0 if found.state == "ready" else 1


@spread
def logs(common: Common, lines: Lines = 50, follow: Follow = False) -> None:
    """The newest lines of the newest session."""
    site = common.site
    runtime = find_runtime(site.cloud, site.place.runtime_name)
    if runtime is None:
        raise InfraError("No agent is deployed here.", code="not_deployed", hint="agent-infra deploy brings one up.")
    show_logs(site, runtime_log_group(runtime.id, RUNTIME_ENDPOINT), lines, follow, common.as_json)


@spread
def doctor(common: Checking) -> int:
    """Is everything here and in the account that a deployment needs. Exit 1 if something is missing."""
    return show_findings([*check_machine(common.builder_name), *check_site(lambda: common.site)], common.as_json)
