"""The file of deployments: TOML, checked strictly, each section the options of one voice or of the agent.

A flag beats the file, the file beats the default. Knows no command line.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from firstword.errors import ConfigError
from firstword.infra.deployment import AgentDeployment, SpeechDeployment, model_kind

__all__ = ["DeployFile", "agent_deployment", "read_deploy_file", "speech_deployment"]


class DeployFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`speech` by model name; the sections hold fields of `SpeechDeployment` and `AgentDeployment`."""

    region: str | None = None
    profile: str | None = None
    name_prefix: str | None = None
    builder: str | None = None
    speech: dict[str, dict[str, Any]] = {}
    agent: dict[str, Any] = {}


def read_deploy_file(path: Path | None) -> DeployFile:
    """The file's contents, or nothing without one. Raises ConfigError naming what is wrong."""
    if path is None:
        return DeployFile()
    try:
        found = msgspec.convert(tomllib.loads(path.read_text()), DeployFile)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read.", hint="Pass another --config.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}.") from error
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}.") from error
    for model in found.speech:
        model_kind(model)
    return found


def speech_deployment(model: str, file: DeployFile, flags: Mapping[str, Any]) -> SpeechDeployment:
    """What is wanted of `model`: the file's section, overridden by the flags that are not None."""
    model_kind(model)
    return _converted(SpeechDeployment, file.speech.get(model, {}), flags, {"model": model}, f"speech.{model}")


def agent_deployment(file: DeployFile, flags: Mapping[str, Any], endpoint_name: str) -> AgentDeployment:
    """What is wanted of the agent; it speaks through `endpoint_name` unless file or flag name another."""
    section = {"endpoint_name": endpoint_name} | file.agent
    if not (flags.get("bedrock_model_id") or section.get("bedrock_model_id")):
        hint = "Pass --bedrock-model-id, such as us.amazon.nova-lite-v1:0."
        raise ConfigError("An agent needs a Bedrock model.", hint=hint)
    return _converted(AgentDeployment, section, flags, {}, "agent")


def _converted[T](
    kind: type[T], section: Mapping[str, Any], flags: Mapping[str, Any], fixed: Mapping[str, Any], where: str
) -> T:
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert(dict(section) | given | dict(fixed), kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {error}.", hint="docs/guide/deploy.md lists the options.") from error
