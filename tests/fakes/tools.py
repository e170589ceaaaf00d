"""The deploy tools run as a person runs them, but in this process: one JSII kernel serves every run."""

import contextlib
import importlib
import io
import json
import sys
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Ran", "run_tool"]


@dataclass(frozen=True, kw_only=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, all of which must be JSON."""
        return json.loads(self.out)

    @property
    def last_error(self) -> str:
        """The one line an error is."""
        return self.err.strip().splitlines()[-1]


def run_tool(tool: Literal["speech-infra", "agent-infra"], *arguments: str) -> Ran:
    """Run `tool arguments…` and return its exit code and what it wrote."""
    module = importlib.import_module(f"firstword.cli.{tool.replace('-', '_')}")
    out, err = io.StringIO(), io.StringIO()
    saved, sys.argv = sys.argv, [tool, *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            module.run()
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else 1
        return Ran(code=code, out=out.getvalue(), err=err.getvalue())
    finally:
        sys.argv = saved
    raise AssertionError("a command line exits")
