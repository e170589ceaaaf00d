"""`speech-infra synth`."""

from pathlib import Path
from typing import Annotated

import typer

from firstword.cli.infra_options import AsJson, Common, Config, Model, Prefix, Profile, Region, place_of, print_json
from firstword.infra.configuration import speech_deployment
from firstword.infra.speech.app import synthesize_speech

__all__ = ["Account", "Output", "synth"]

Account = Annotated[str | None, typer.Option(help="Account number; without it AWS is asked who we are.")]
Output = Annotated[Path, typer.Option(help="Directory to write to.")]


def synth(
    model: Model,
    output: Output = Path("cdk.out"),
    account: Account = None,
    image_uri: Annotated[str, typer.Option(help="Image to name in the templates.")] = "",
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Write the templates of a voice and of what it shares. With --account and --region nothing is asked of anybody."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config)
    number = account or common.cloud.account
    place = place_of(number, common.settings.region or common.cloud.region, common.settings.name_prefix)
    image = image_uri or f"{number}.dkr.ecr.{place.region}.amazonaws.com/{place.repository('speech')}:latest"
    flags = {"image_uri": image, "weights_uri": f"s3://{place.weights_bucket}/models/{model}/"}
    directory = synthesize_speech(place, speech_deployment(model, common.file, flags), output.absolute())
    stacks = [place.foundation_stack, place.cache_stack, place.speech_stack(model)]
    if as_json:
        print_json({"directory": str(directory), "stacks": stacks})
        return
    for stack in stacks:
        print(directory / f"{stack}.template.json")
