"""`speech-infra doctor`."""

from dataclasses import dataclass
from typing import Annotated

import typer

from firstword.cli.infra_options import Common, print_json, print_table, spread
from firstword.infra.checking import Finding, check_machine, check_site, check_voice
from firstword.infra.toolkit.builders import BUILDERS

__all__ = ["Checking", "doctor", "show_findings"]


@dataclass(frozen=True, kw_only=True)
class Checking(Common):
    builder: Annotated[str | None, typer.Option(help=" | ".join(BUILDERS))] = None


@spread
def doctor(
    common: Checking,
    model: Annotated[str, typer.Option(help="The voice whose quota is asked for.")] = "kokoro-82m",
) -> int:
    """Is everything here and in the account that a deployment needs. Exit 1 if something is missing."""
    found = [*check_machine(common.builder_name), *check_site(lambda: common.site)]
    if all(finding.ok for finding in found if finding.what in ("credentials", "region")):
        found += check_voice(common.site, model)
    return show_findings(found, common.as_json)


def show_findings(found: list[Finding], as_json: bool) -> int:
    """The findings, and the exit code they mean."""
    if as_json:
        print_json({"findings": found})
    else:
        rows = [(f.what, "ok" if f.ok else "MISSING", f.detail) for f in found]
        print_table("What a deployment needs", ("what", "", "detail"), rows)
    return 0 if all(finding.ok for finding in found) else 1
