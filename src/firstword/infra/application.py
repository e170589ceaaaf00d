"""A CDK app with the rules every stack of ours is held to: strict template validation and cdk-nag, both fatal.

Above: `speech.app` and `agent.app`. A synthesis reads no network, no credentials and no context of the machine.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import aws_cdk as cdk
import msgspec
from cdk_nag import AwsSolutionsChecks
from constructs import Construct, IConstruct
from jsii.errors import JSIIError

from firstword.errors import InfraError, OutputError
from firstword.infra.deployment import METADATA_KEY, Place

__all__ = ["PlaceStack", "acknowledge", "kernel_alive", "new_app", "synthesize"]

_REPORT = "validation-report.json"
_CONTEXT = {
    "@aws-cdk/core:validateAgainstDefaultRules": True,
    # A strong reference is an export: CloudFormation then refuses to delete what another stack still uses.
    "@aws-cdk/core:defaultCrossStackReferences": "strong",
    "@aws-cdk/core:enablePartitionLiterals": True,
    "@aws-cdk/core:target-partitions": ["aws"],
    "@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy": True,
    "@aws-cdk/aws-iam:minimizePolicies": True,
    "@aws-cdk/aws-kms:aliasNameRef": True,
    "aws:cdk:enable-path-metadata": False,
    "aws:cdk:enable-asset-metadata": False,
    "aws:cdk:version-reporting": False,
}


def new_app(directory: Path) -> cdk.App:
    """Raises OutputError where `directory` cannot be made."""
    try:
        app = cdk.App(outdir=str(directory), context=_CONTEXT, analytics_reporting=False)
    except RuntimeError as error:
        raise OutputError(f"{directory} cannot be written to.", hint="Pass another --output.") from error
    cdk.Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


class PlaceStack(cdk.Stack):
    """A stack of a place, named and tagged for it.

    `options` travel in the template's metadata, so that a later command can repeat the deployment.
    """

    def __init__(
        self, app: Construct, *, place: Place, name: str, about: str, options: msgspec.Struct | None = None
    ) -> None:
        super().__init__(
            app,
            name,
            stack_name=name,
            description=about,
            env=cdk.Environment(account=place.account, region=place.region),
            # One synthesizer each: a shared one mixes the assets of all stacks. The bootstrap is checked by the
            # toolkit, with a better answer than a failed parameter rule.
            synthesizer=cdk.DefaultStackSynthesizer(generate_bootstrap_version_rule=False),
            tags={"application": "firstword", "firstword:prefix": place.prefix},
        )
        if options is not None:
            self.template_options.metadata = {METADATA_KEY: msgspec.json.encode(options).decode()}


@contextmanager
def kernel_alive() -> Iterator[None]:
    """The CDK's Node process ending under us as InfraError: it would look like the end of our own output."""
    try:
        yield
    except (BrokenPipeError, JSIIError, json.JSONDecodeError) as error:
        raise InfraError(
            "The CDK's Node process ended on its own.",
            code="no_cdk",
            hint="Run the same again; with JSII_DEBUG=1 it tells why.",
        ) from error


def acknowledge(construct: IConstruct, findings: Mapping[str, str]) -> None:
    """Accept cdk-nag findings of one construct: exact finding id to the reason it is right."""
    validations = cdk.Validations.of(construct)
    for finding, reason in findings.items():
        validations.acknowledge(cdk.Acknowledgment(id=f"AwsSolutions::{finding}", reason=reason))


def synthesize(app: cdk.App) -> Path:
    """Write the assembly and return its directory. Raises InfraError naming the first thing a rule refused."""
    (Path(app.outdir) / _REPORT).unlink(missing_ok=True)  # of an earlier run into the same directory
    try:
        directory = Path(app.synth().directory)
    except RuntimeError as error:
        found = _violations(Path(app.outdir))
        if not found:
            said = str(error).strip().partition("\n")[0]
            raise InfraError(f"The templates could not be made: {said}", code="synth_failed") from error
        raise InfraError(f"The stacks do not pass their own rules: {found[0]}", code="synth_failed") from error
    # The library prints some template findings as warnings only; here nothing passes with a finding.
    if found := _violations(directory):
        raise InfraError(f"The stacks do not pass their own rules: {found[0]}", code="synth_failed")
    return directory


def _violations(directory: Path) -> list[str]:
    report = directory / _REPORT
    if not report.exists():
        return []
    plugins = json.loads(report.read_text())["pluginReports"]
    return [
        f"{found['ruleName']} at {found['violatingConstructs'][0]['constructPath']}: {found['description'][:200]}"
        for plugin in plugins
        for found in plugin["violations"]
    ]
