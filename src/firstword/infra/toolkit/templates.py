"""Pure: what differs between a deployed template and a new one, and which of it changes who may do what."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from firstword.infra.toolkit.statements import statement_changes

__all__ = ["Change", "iam_changes", "read_template", "template_changes"]

type Kind = Literal["add", "remove", "change"]

_IAM_TYPES = (
    "AWS::IAM::",
    "AWS::KMS::Key",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::TopicPolicy",
    "AWS::EC2::SecurityGroup",
)


@dataclass(frozen=True, kw_only=True)
class Change:
    """One resource. `paths` are the properties that differ, dotted; empty for what comes or goes whole. `statements`
    are those of its policies that come (+) and go (-)."""

    kind: Kind
    resource: str
    type: str
    paths: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The change as a person reads it: the resource, then what its policies allow anew and no longer."""
        return [self.line(), *(f"    {statement}" for statement in self.statements)]

    @property
    def grants(self) -> bool:
        return self.type.startswith(_IAM_TYPES)

    def line(self) -> str:
        sign = {"add": "+", "remove": "-", "change": "~"}[self.kind]
        detail = f" ({', '.join(self.paths)})" if self.paths else ""
        return f"{sign} {self.type} {self.resource}{detail}"


def read_template(assembly: Path, stack: str) -> dict[str, Any]:
    """The template of `stack` in a synthesized assembly."""
    return msgspec.json.decode((assembly / f"{stack}.template.json").read_bytes(), type=dict[str, Any])


def template_changes(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> list[Change]:
    """Resources that come, go or differ; a missing template has none."""
    before: Mapping[str, Any] = (old or {}).get("Resources", {})
    after: Mapping[str, Any] = (new or {}).get("Resources", {})
    changes = []
    for name in before.keys() | after:
        old_item, new_item = before.get(name), after.get(name)
        kind: Kind = "add" if old_item is None else "remove" if new_item is None else "change"
        paths = tuple(_differences(old_item, new_item, "")) if kind == "change" else ()
        if kind == "change" and not paths:
            continue
        changes.append(
            Change(
                kind=kind,
                resource=name,
                type=(new_item or old_item or {})["Type"],
                paths=paths,
                statements=statement_changes(old_item, new_item),
            )
        )
    return sorted(changes, key=lambda change: (change.resource, change.kind))


def iam_changes(changes: list[Change]) -> list[Change]:
    """Those that change permissions: what a person is asked to approve."""
    return [change for change in changes if change.grants]


def _differences(old: Any, new: Any, path: str) -> list[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        found = []
        for key in sorted(old.keys() | new.keys()):
            inner = f"{path}.{key}" if path else str(key)
            found += [inner] if (key in old) != (key in new) else _differences(old[key], new[key], inner)
        return found
    return [] if old == new else [path.removeprefix("Properties.")]
