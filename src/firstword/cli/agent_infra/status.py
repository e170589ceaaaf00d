"""`agent-infra status`, `logs` and `doctor`."""

from firstword.cli.infra_options import (
    AsJson,
    Builder,
    Common,
    Config,
    Prefix,
    Profile,
    Region,
    print_json,
    print_table,
)
from firstword.cli.speech_infra.doctor import show_findings
from firstword.cli.speech_infra.logs import Follow, Lines, show_logs
from firstword.errors import InfraError
from firstword.infra.agent.viewing import RUNTIME_ENDPOINT, agent_status
from firstword.infra.checking import check_machine, check_site
from firstword.infra.toolkit.agents import find_runtime, runtime_log_group

__all__ = ["doctor", "logs", "status"]


def status(
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """The agent as it stands. Exit 0 ready, 1 otherwise."""
    site = Common(region=region, profile=profile, name_prefix=name_prefix, config=config).site
    found = agent_status(site)
    if as_json:
        print_json(found)
    else:
        rows = [(name, str(value)) for name, value in found.rows() if value]
        print_table(f"Agent in {site.place.region}", ("what", "is"), rows)
    return 0 if found.state == "ready" else 1


def logs(
    lines: Lines = 50,
    follow: Follow = False,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """The newest lines of the newest session."""
    site = Common(region=region, profile=profile, name_prefix=name_prefix, config=config).site
    runtime = find_runtime(site.cloud, site.place.runtime_name)
    if runtime is None:
        raise InfraError("No agent is deployed here.", code="not_deployed", hint="agent-infra deploy brings one up.")
    show_logs(site, runtime_log_group(runtime, RUNTIME_ENDPOINT), lines, follow, as_json)


def doctor(
    builder: Builder = None,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Is everything here and in the account that a deployment needs. Exit 1 if something is missing."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config, builder=builder)
    return show_findings([*check_machine(common.builder_name), *check_site(lambda: common.site)], as_json)
