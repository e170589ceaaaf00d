"""`speech-infra bootstrap`."""

from dataclasses import dataclass
from typing import Annotated

import typer

from firstword.cli.infra_options import Common, print_json, spread
from firstword.errors import InfraError

__all__ = ["bootstrap"]


@dataclass(frozen=True, kw_only=True)
class Bootstrapping(Common):
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False


@spread
def bootstrap(common: Bootstrapping) -> None:
    """Make the CDK's own stack (a bucket, a repository, roles) in this account and region, unless it is there."""
    site = common.site
    version = site.bootstrap_version()
    if version is None:
        where = f"aws://{site.place.account}/{site.place.region}"
        if not site.report.approve(f"Bootstrap {where} for the CDK?", ["the stack CDKToolkit, with roles that deploy"]):
            raise InfraError("Not approved; nothing was changed.", code="not_approved")
        with site.stages(["CDKToolkit"], go_on="Run speech-infra bootstrap again to go on.") as begin:
            begin("bootstrap")
            site.bootstrap()
        version = site.bootstrap_version()
    if common.as_json:
        print_json({"version": version})
    else:
        print(f"Bootstrapped, version {version}.")
