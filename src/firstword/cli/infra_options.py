"""What the commands of both deploy tools share: their options, the site they open, how they speak and ask."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from firstword.config import InfraSettings
from firstword.errors import ConfigError, UsageError
from firstword.infra.configuration import DeployFile, read_deploy_file
from firstword.infra.deployment import Place
from firstword.infra.site import Site
from firstword.infra.toolkit.builders import BUILDERS, BuilderName
from firstword.infra.toolkit.cloud import Cloud, open_cloud
from firstword.infra.toolkit.templates import Change

__all__ = [
    "AsJson",
    "Builder",
    "Common",
    "Config",
    "DryRun",
    "ImageUri",
    "Model",
    "Prefix",
    "Profile",
    "Region",
    "Yes",
    "place_of",
    "print_changes",
    "print_json",
    "print_table",
]

Model = Annotated[str, typer.Argument(help="kokoro-82m or kokoro-82m-cpu", show_default=False)]
Region = Annotated[str | None, typer.Option(help="AWS region; default: the profile's, or AWS_REGION.")]
Profile = Annotated[str | None, typer.Option(help="AWS profile; default: AWS_PROFILE.")]
Prefix = Annotated[str | None, typer.Option("--name-prefix", help="Prefix of every name; default: firstword.")]
Config = Annotated[Path | None, typer.Option(help="TOML file of deployments; a flag beats it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")]
Builder = Annotated[str | None, typer.Option(help=" | ".join(BUILDERS))]
ImageUri = Annotated[str, typer.Option(help="Use this image instead of building one.")]


@dataclass(frozen=True, kw_only=True)
class Common:
    """The options every command takes, resolved: flag over file over environment over default."""

    region: str | None
    profile: str | None
    name_prefix: str | None
    config: Path | None
    yes: bool = False
    builder: str | None = None

    @cached_property
    def file(self) -> DeployFile:
        return read_deploy_file(self.config)

    @cached_property
    def settings(self) -> InfraSettings:
        file = self.file
        return InfraSettings.load(
            region=self.region or file.region,
            profile=self.profile or file.profile,
            name_prefix=self.name_prefix or file.name_prefix,
            builder=self.builder or file.builder,
        )

    @cached_property
    def cloud(self) -> Cloud:
        return open_cloud(self.settings.region, self.settings.profile)

    @cached_property
    def site(self) -> Site:
        """The site; asks AWS who we are."""
        place = place_of(self.cloud.account, self.cloud.region, self.settings.name_prefix)
        return Site(cloud=self.cloud, place=place, settings=self.settings, report=ConsoleReport(yes=self.yes))

    @property
    def builder_name(self) -> BuilderName:
        name = self.settings.builder
        if name not in BUILDERS:
            raise UsageError(
                f"There is no builder {name!r}.", code="no_builder", hint=f"One of: {', '.join(BUILDERS)}."
            )
        return cast(BuilderName, name)


def place_of(account: str, region: str, prefix: str) -> Place:
    """Raises ConfigError for a prefix that cannot begin a name everywhere."""
    try:
        return msgspec.convert({"account": account, "region": region, "prefix": prefix}, Place)
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"These cannot name a deployment: {error}.",
            hint="A prefix is 2 to 20 lower-case letters, digits and hyphens.",
        ) from error


class ConsoleReport:
    """Speaks on stderr and asks there."""

    def __init__(self, *, yes: bool) -> None:
        self._yes = yes
        self._console = Console(stderr=True, highlight=False, soft_wrap=True, markup=False)

    def stage(self, name: str) -> None:
        self._console.print(f"== {name}")

    def say(self, text: str) -> None:
        self._console.print(f"   {text}")

    def approve(self, question: str, lines: Sequence[str]) -> bool:
        for line in lines:
            self.say(line)
        if self._yes:
            return True
        if not sys.stdin.isatty():
            raise UsageError(f"{question} Nobody can answer here.", code="needs_yes", hint="Pass --yes.")
        return typer.confirm(question, err=True)

    def progress(self, what: str, done: int, total: int) -> None:
        if done >= total:
            self.say(f"{what}: {total:,} bytes")


def print_json(value: Any) -> None:
    """`value`, structs and dataclasses included, as JSON on stdout."""
    print(msgspec.json.format(msgspec.json.encode(value)).decode())


def print_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console(highlight=False, markup=False).print(table)


def print_changes(changes: dict[str, list[Change]], as_json: bool) -> None:
    """A plan, as lines or as JSON."""
    if as_json:
        print_json({"changes": changes})
        return
    for stack, found in changes.items():
        print(stack if found else f"{stack}: no change")
        for change in found:
            print(f"  {change.line()}")
