"""What the commands of both deploy tools share: their options, the site they open, how they speak and ask.

An option is declared once, in a class of options that belong together. A command takes such a class as one parameter;
`spread` shows Typer its fields as so many options.
"""

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import Annotated, Any, cast, get_type_hints

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from firstword.config import InfraSettings
from firstword.errors import ConfigError, UsageError
from firstword.infra.configuration import DeployFile, read_deploy_file
from firstword.infra.deployment import PREFIX, Place
from firstword.infra.site import Site
from firstword.infra.toolkit.builders import BUILDERS, BuilderName
from firstword.infra.toolkit.cloud import Cloud, open_cloud
from firstword.infra.toolkit.templates import Change

__all__ = [
    "Common",
    "Deploying",
    "Model",
    "Planning",
    "Removing",
    "Switching",
    "place_of",
    "print_changes",
    "print_json",
    "print_table",
    "spread",
]

Model = Annotated[str, typer.Argument(help="kokoro-82m or kokoro-82m-cpu", show_default=False)]


def spread[R](command: Callable[..., R]) -> Callable[..., R]:
    """`command` as Typer is to see it: a parameter that is a class of options gives way to the options themselves."""
    hints = get_type_hints(command, include_extras=True)
    own: list[inspect.Parameter] = []
    shared: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    for parameter in inspect.signature(command).parameters.values():
        kind = hints[parameter.name]
        if is_dataclass(kind):
            groups[parameter.name] = kind
            shared += _options_of(kind)
        else:
            own.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=kind))
    shown = own + shared

    @wraps(command)
    def called(**values: Any) -> R:
        for name, kind in groups.items():
            values[name] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        return command(**values)

    called.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]  # what inspect.signature looks for
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return called


def _options_of(kind: Any) -> list[inspect.Parameter]:
    types = get_type_hints(kind, include_extras=True)
    return [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=types[field.name]
        )
        for field in fields(kind)
    ]


@dataclass(frozen=True, kw_only=True)
class Common:
    """The options every command takes, and what follows from them: flag over file over environment over default."""

    region: Annotated[str | None, typer.Option(help="AWS region; default: the profile's, or AWS_REGION.")] = None
    profile: Annotated[str | None, typer.Option(help="AWS profile; default: AWS_PROFILE.")] = None
    name_prefix: Annotated[
        str | None, typer.Option("--name-prefix", help="Prefix of every name; default: firstword.")
    ] = None
    config: Annotated[Path | None, typer.Option(help="TOML file of deployments; a flag beats it.")] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")] = False

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
            builder=getattr(self, "builder", None) or file.builder,
        )

    @cached_property
    def cloud(self) -> Cloud:
        return open_cloud(self.settings.region, self.settings.profile)

    @cached_property
    def site(self) -> Site:
        """The site; asks AWS who we are."""
        place = place_of(self.cloud.account, self.cloud.region, self.settings.name_prefix)
        report = ConsoleReport(yes=getattr(self, "yes", False))
        return Site(cloud=self.cloud, place=place, settings=self.settings, report=report)

    @property
    def builder_name(self) -> BuilderName:
        name = self.settings.builder
        if name not in BUILDERS:
            raise UsageError(
                f"There is no builder {name!r}.", code="no_builder", hint=f"One of: {', '.join(BUILDERS)}."
            )
        return cast(BuilderName, name)


@dataclass(frozen=True, kw_only=True)
class Planning(Common):
    """What a deployment of either tool is made of besides its own options; `diff` takes it as `deploy` does."""

    subnet: Annotated[list[str] | None, typer.Option("--subnet", help="A subnet of your VPC; repeat.")] = None
    security_group: Annotated[
        list[str] | None, typer.Option("--security-group", help="A security group for it; repeat.")
    ] = None
    image_uri: Annotated[str, typer.Option(help="Use this image instead of building one.")] = ""
    builder: Annotated[str | None, typer.Option(help=" | ".join(BUILDERS))] = None

    @property
    def network(self) -> dict[str, list[str]] | None:
        """The network of the flags, None without any. Raises UsageError for half of one."""
        if not self.subnet and not self.security_group:
            return None
        if not self.subnet or not self.security_group:
            raise UsageError("A network needs --subnet and --security-group.", code="half_network")
        return {"subnets": self.subnet, "security_groups": self.security_group}

    @property
    def image_from(self) -> BuilderName:
        """The builder, or that the image is there."""
        return "image-uri" if self.image_uri else self.builder_name


@dataclass(frozen=True, kw_only=True)
class Deploying(Planning):
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False


@dataclass(frozen=True, kw_only=True)
class Switching(Common):
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False


@dataclass(frozen=True, kw_only=True)
class Removing(Common):
    purge: Annotated[
        bool, typer.Option("--purge", help="Also remove weights, images, logs and key for good, after asking.")
    ] = False
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go and what would stay.")] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False


def place_of(account: str, region: str, prefix: str) -> Place:
    """Raises ConfigError for a prefix that cannot begin a name everywhere, and for what is no account or region."""
    if not re.search(PREFIX, prefix):
        raise ConfigError(
            f"{prefix!r} cannot begin a name.",
            hint="A prefix is 2 to 20 lower-case letters, digits and single hyphens: a letter first, no hyphen last.",
        )
    try:
        return msgspec.convert({"account": account, "region": region, "prefix": prefix}, Place)
    except msgspec.ValidationError as error:
        wrong = "account" if "$.account" in str(error) else "region"
        raise ConfigError(
            f"{account if wrong == 'account' else region!r} is no {wrong}.", hint=f"Pass another --{wrong}."
        ) from error


class ConsoleReport:
    """Speaks on stderr and asks there."""

    def __init__(self, *, yes: bool) -> None:
        self._yes = yes
        self._quarters: dict[str, int] = {}
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
        quarter = 4 if done >= total else 4 * done // total
        if quarter > self._quarters.get(what, 0):
            self._quarters[what] = quarter
            self.say(f"{what}: {total:,} bytes" if quarter == 4 else f"{what}: {done:,} of {total:,} bytes")


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
            print(*(f"  {line}" for line in change.lines()), sep="\n")
