"""Pure: what the id of a Bedrock model or inference profile says, and what running it touches."""

from dataclasses import dataclass

from firstword.infra.deployment import Place

__all__ = ["Touched", "bedrock_touched", "profile_of"]

# Prefixes of cross-region inference profiles: the model then runs in any region of that geography.
_GEOGRAPHIES = ("apac", "au", "ca", "eu", "global", "jp", "us", "us-gov")


@dataclass(frozen=True, kw_only=True)
class Touched:
    """What must be allowed to run a model: `first` always, `through` only by way of the profile `first` names."""

    first: str
    through: str = ""


def profile_of(model_id: str) -> str:
    """The id or ARN of the inference profile that `model_id` is; empty for a model's own."""
    if model_id.startswith("arn:"):
        return model_id if "inference-profile/" in model_id else ""
    return model_id if model_id.partition(".")[0] in _GEOGRAPHIES else ""


def bedrock_touched(place: Place, model_id: str) -> Touched:
    """The ARNs that running `model_id` touches: a model's own, or a profile's and its models' in whichever region."""
    profile = profile_of(model_id)
    if not profile:
        own = f"arn:aws:bedrock:{place.region}::foundation-model/{model_id}"
        return Touched(first=model_id if model_id.startswith("arn:") else own)
    name = profile.rpartition("/")[2]
    arn = profile if profile != name else f"arn:aws:bedrock:{place.region}:{place.account}:inference-profile/{name}"
    # The name of an application's own profile does not tell its model.
    model = "*" if "application-inference-profile/" in arn else name.partition(".")[2]
    return Touched(first=arn, through=f"arn:aws:bedrock:*::foundation-model/{model}")
