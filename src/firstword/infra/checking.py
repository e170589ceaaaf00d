"""What a deployment needs, looked at one by one: the doctor of both tools. Reads only."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from firstword.errors import FirstwordError
from firstword.infra.deployment import SpeechDeployment
from firstword.infra.node import node_executable
from firstword.infra.site import Site
from firstword.infra.toolkit.builders import BuilderName, choose_builder
from firstword.infra.toolkit.cdk import install_cdk
from firstword.infra.toolkit.leftovers import existing
from firstword.infra.toolkit.quotas import endpoint_quotas

__all__ = ["Finding", "check_machine", "check_site", "check_voice"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """`detail` says what is there, or what is missing and what to do about it."""

    what: str
    ok: bool
    detail: str


def check_machine(builder: BuilderName) -> list[Finding]:
    """Node, the CDK's command line, an image builder."""
    return [
        _look("node", _node_version),
        _look("cdk", _cdk_version),
        _look("builder", lambda: choose_builder(builder)),
    ]


def check_site(open_site: Callable[[], Site]) -> list[Finding]:
    """Credentials and region, the bootstrap, and what an earlier teardown left."""
    who = _look("credentials", lambda: f"account {open_site().place.account} in {open_site().place.region}")
    if not who.ok:
        return [who]
    site = open_site()
    return [who, _look("bootstrap", lambda: _bootstrap(site)), _look("left over", lambda: _leftovers(site))]


def check_voice(site: Site, model: str) -> list[Finding]:
    """Whether the account may have an instance of each type of the model's pool."""
    quotas = endpoint_quotas(site.cloud)
    found = []
    for name in SpeechDeployment(model=model).types:
        quota = quotas.get(name)
        known = str(quota) if quota is not None else "not offered here, it seems" if quotas else "cannot be read"
        hint = "" if quota else f" (Service Quotas: '{name} for endpoint usage')"
        found.append(Finding(what=f"quota {name}", ok=quota != 0, detail=known + hint))
    return found


def _look(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what=what, ok=True, detail=look())
    except FirstwordError as error:
        return Finding(what=what, ok=False, detail=error.one_line())


def _node_version() -> str:
    return subprocess.run([node_executable(), "--version"], capture_output=True, text=True, timeout=30).stdout.strip()


def _cdk_version() -> str:
    package: dict[str, str] = json.loads((install_cdk().parents[1] / "package.json").read_text())
    return package["version"]


def _bootstrap(site: Site) -> str:
    site.check_ready([])
    return f"version {site.bootstrap_version()}"


def _leftovers(site: Site) -> str:
    return ", ".join(f"{item.kind} {item.name}" for item in existing(site.cloud, site.place)) or "nothing"
