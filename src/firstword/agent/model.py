"""The language model that a setting names, as Strands knows it: `openai:URL[#NAME]` or `bedrock:ID`.

`local` is not built here: whoever starts the packaged model (`firstword agent`, the stack) passes its URL. No SDK
retries behind our back: a listener who waits is told. Above it: `conversations`.
"""

from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from botocore.config import Config
from botocore.exceptions import BotoCoreError
from strands.models import BedrockModel, Model
from strands.models.openai import OpenAIModel

from firstword.agent.openai_clients import OpenAIClients
from firstword.config import AgentSettings, aws_region
from firstword.errors import ConfigError, UsageError

__all__ = ["build_model", "close_model", "warm_model"]

_NO_KEY: Final = "none"


def build_model(settings: AgentSettings) -> Model:
    """The model, for any number of agents. Raises UsageError for an unknown kind, ConfigError if AWS is not set up."""
    kind, _, name = settings.model.partition(":")
    if kind == "openai" and name:
        return _openai(name, settings)
    if kind == "bedrock" and name:
        return _bedrock(name, settings)
    raise UsageError(f"--model {settings.model!r} names no model.", hint="Use local, openai:URL or bedrock:MODEL_ID.")


async def close_model(model: Model) -> None:
    """Close what it keeps open between requests."""
    if isinstance(model, BedrockModel):
        model.client.close()
    elif isinstance(model, _OpenAI):
        await model.clients.aclose()


def warm_model(model: Model) -> None:
    """Load what its first request would load."""
    if isinstance(model, _OpenAI):
        model.clients.warm()


class _OpenAI(OpenAIModel):
    """Strands' model, with the clients it was given."""

    def __init__(self, clients: OpenAIClients, **config: Any) -> None:
        super().__init__(client=clients, **config)
        self.clients = clients


def _openai(address: str, settings: AgentSettings) -> Model:
    url, _, name = address.partition("#")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url!r} is not the URL of a model server.", hint="Use openai:http://HOST:PORT[/v1][#MODEL].")
    clients = OpenAIClients(
        base_url=url.rstrip("/") if parts.path.strip("/") else f"{url.rstrip('/')}/v1",
        api_key=_key(settings.openai_key_file),
        max_retries=0,
        timeout=settings.model_timeout_s,
    )
    params = {"max_tokens": settings.max_tokens, "temperature": settings.temperature}
    return _OpenAI(clients, model_id=name or "default", params=params)


def _key(path: str | None) -> str:
    if path is None:
        return _NO_KEY
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ConfigError(f"The key file {path} cannot be read.") from error


def _bedrock(model_id: str, settings: AgentSettings) -> Model:
    config = Config(
        connect_timeout=settings.model_timeout_s,
        read_timeout=settings.model_timeout_s,
        retries={"total_max_attempts": 1},
    )
    try:
        return BedrockModel(
            model_id=model_id,
            region_name=settings.region or aws_region(),
            boto_client_config=config,
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
        )
    except BotoCoreError as error:
        raise ConfigError(
            "The Bedrock client cannot be made.", hint="Check region, profile and endpoint of the AWS configuration."
        ) from error
