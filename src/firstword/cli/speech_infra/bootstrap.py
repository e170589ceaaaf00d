"""`speech-infra bootstrap`."""

from firstword.cli.infra_options import AsJson, Common, Config, Prefix, Profile, Region, Yes, print_json
from firstword.errors import InfraError

__all__ = ["bootstrap"]


def bootstrap(
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Make the CDK's own stack (a bucket, a repository, roles) in this account and region, unless it is there."""
    site = Common(region=region, profile=profile, name_prefix=name_prefix, config=config, yes=yes).site
    version = site.bootstrap_version()
    if version is None:
        where = f"aws://{site.place.account}/{site.place.region}"
        if not site.report.approve(f"Bootstrap {where} for the CDK?", ["the stack CDKToolkit, with roles that deploy"]):
            raise InfraError("Not approved; nothing was changed.", code="not_approved")
        site.report.stage("bootstrap")
        site.bootstrap()
        version = site.bootstrap_version()
    if as_json:
        print_json({"version": version})
    else:
        print(f"Bootstrapped, version {version}.")
