"""`speech-infra doctor`."""

from typing import Annotated

import typer

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
from firstword.infra.checking import Finding, check_machine, check_site, check_voice

__all__ = ["doctor", "show_findings"]


def doctor(
    model: Annotated[str, typer.Option(help="The voice whose quota is asked for.")] = "kokoro-82m",
    builder: Builder = None,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Is everything here and in the account that a deployment needs. Exit 1 if something is missing."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config, builder=builder)
    found = [*check_machine(common.builder_name), *check_site(lambda: common.site)]
    if all(finding.ok for finding in found if finding.what in ("credentials", "region")):
        found += check_voice(common.site, model)
    return show_findings(found, as_json)


def show_findings(found: list[Finding], as_json: bool) -> int:
    """The findings, and the exit code they mean."""
    if as_json:
        print_json({"findings": found})
    else:
        rows = [(f.what, "ok" if f.ok else "MISSING", f.detail) for f in found]
        print_table("What a deployment needs", ("what", "", "detail"), rows)
    return 0 if all(finding.ok for finding in found) else 1
