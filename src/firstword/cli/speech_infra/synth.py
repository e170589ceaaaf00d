"""`speech-infra synth`."""

from pathlib import Path
from typing import Annotated

import typer

from firstword.cli.infra_options import Common, Model, place_of, print_json, spread
from firstword.infra.configuration import speech_deployment
from firstword.infra.speech.app import synthesize_speech

__all__ = ["Account", "Output", "synth"]

Account = Annotated[str | None, typer.Option(help="Account number; without it AWS is asked who we are.")]
Output = Annotated[Path, typer.Option(help="Directory to write to.")]


@spread
def synth(
    model: Model,
    common: Common,
    output: Output = Path("cdk.out"),
    account: Account = None,
    image_uri: Annotated[str, typer.Option(help="Image to name in the templates.")] = "",
) -> None:
    """Write the templates of a voice and of what it shares. With --account and --region nothing is asked of anybody."""
    number = account or common.cloud.account
    place = place_of(number, common.settings.region or common.cloud.region, common.settings.name_prefix)
    image = image_uri or f"{number}.dkr.ecr.{place.region}.amazonaws.com/{place.repository('speech')}:latest"
    flags = {"image_uri": image, "weights_uri": f"s3://{place.weights_bucket}/models/{model}/"}
    directory = synthesize_speech(place, speech_deployment(model, common.file, flags), output.absolute())
    stacks = [place.foundation_stack, place.cache_stack, place.speech_stack(model)]
    if common.as_json:
        print_json({"directory": str(directory), "stacks": stacks})
        return
    for stack in stacks:
        print(directory / f"{stack}.template.json")
