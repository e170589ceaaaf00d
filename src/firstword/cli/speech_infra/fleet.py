"""What a voice runs on, as options: `deploy`, `diff` and `estimate` take them alike."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

__all__ = ["Fleet"]


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """What a voice runs on."""

    instance_type: Annotated[
        list[str] | None,
        typer.Option("--instance-type", help="Repeat for a pool, tried in that order when short."),
    ] = None
    min_instances: Annotated[int | None, typer.Option("--min-instances", min=1)] = None
    max_instances: Annotated[int | None, typer.Option("--max-instances", min=1)] = None

    def flags(self) -> dict[str, Any]:
        return {
            "instance_types": self.instance_type or None,
            "min_instances": self.min_instances,
            "max_instances": self.max_instances,
        }
