"""Whether the account may run a Bedrock model, asked before an agent is deployed with it."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from firstword.errors import InfraError
from firstword.infra.bedrock_names import profile_of
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of

__all__ = ["check_model"]

_UNKNOWN = {"ResourceNotFoundException", "ValidationException"}
_SHOW = "aws bedrock list-foundation-models and list-inference-profiles show the ids."


def check_model(cloud: Cloud, model_id: str, say: Callable[[str], None]) -> None:
    """Raises InfraError if the account may not run the model. Where Bedrock does not tell, says so and goes on."""
    if model_id.startswith("arn:") and not profile_of(model_id) and ":foundation-model/" not in model_id:
        say(f"whether {model_id} can be used shows with the first answer")
        return
    try:
        if profile := profile_of(model_id):
            base = _model_behind(cloud, profile)
        else:
            base = model_id.rpartition("/")[2]
            _check_on_demand(cloud, base)
        found = _asked(cloud, "get_foundation_model_availability", modelId=base)
    except InfraError as error:
        if error.code == "no_on_demand":
            raise
        if isinstance(error.__cause__, ClientError) and code_of(error.__cause__) in _UNKNOWN:
            raise InfraError(
                f"Bedrock knows no model {model_id!r} in {cloud.region}.", code="unknown_bedrock_model", hint=_SHOW
            ) from error
        say("Bedrock did not tell whether the account may use this model; if not, the agent's answers will fail")
        return
    if lacking := _lacking(found):
        raise InfraError(
            f"The account may not use the Bedrock model {model_id!r} in {cloud.region} ({lacking}).",
            code="no_model_access",
            hint="Ask for access in the Bedrock console, or choose another --bedrock-model-id.",
        )


def _asked(cloud: Cloud, call: str, **what: str) -> dict[str, Any]:
    with aws_errors("ask Bedrock about the model"):
        found: dict[str, Any] = getattr(cloud.client("bedrock"), call)(**what)
    return found


def _model_behind(cloud: Cloud, profile: str) -> str:
    models = _asked(cloud, "get_inference_profile", inferenceProfileIdentifier=profile)["models"]
    return str(models[0]["modelArn"]).rpartition("/")[2]


def _check_on_demand(cloud: Cloud, model: str) -> None:
    """Newer models are run through an inference profile only: by its own id such a one fails at the first answer."""
    details = _asked(cloud, "get_foundation_model", modelIdentifier=model)["modelDetails"]
    if "ON_DEMAND" not in details.get("inferenceTypesSupported", ["ON_DEMAND"]):
        geography = {"ap": "apac"}.get(cloud.region[:2], cloud.region[:2])
        raise InfraError(
            f"Bedrock runs {model!r} through an inference profile only.",
            code="no_on_demand",
            hint=f"Pass its id, such as {geography}.{model}; {_SHOW}",
        )


def _lacking(found: dict[str, Any]) -> str:
    """What stands between the account and the model; empty for nothing."""
    expected = {
        "authorizationStatus": ("NOT_AUTHORIZED", "not authorized"),
        "regionAvailability": ("NOT_AVAILABLE", "not in this region"),
        "entitlementAvailability": ("NOT_AVAILABLE", "no agreement with its provider"),
    }
    return ", ".join(said for name, (no, said) in expected.items() if found.get(name) == no)
