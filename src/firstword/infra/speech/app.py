"""Puts the speech stacks together: what is shared, and the one voice that is being deployed."""

from pathlib import Path

import aws_cdk as cdk

from firstword.infra.application import kernel_alive, new_app, synthesize
from firstword.infra.deployment import Place, SpeechDeployment
from firstword.infra.foundation import Foundation
from firstword.infra.model_cache import ModelCache
from firstword.infra.speech.endpoint import EndpointStack

__all__ = ["speech_app", "synthesize_speech"]


def speech_app(place: Place, deployment: SpeechDeployment | None, directory: Path) -> cdk.App:
    """The app of a place with the voice `deployment`, or with the shared stacks alone while there is no image yet."""
    app = new_app(directory)
    foundation = Foundation(app, place=place)
    ModelCache(app, place=place, key=foundation.key)
    if deployment is not None:
        EndpointStack(app, place=place, deployment=deployment, foundation=foundation)
    return app


def synthesize_speech(place: Place, deployment: SpeechDeployment | None, directory: Path) -> Path:
    """Write the assembly of `speech_app` to `directory`. Raises InfraError when a rule refuses it."""
    with kernel_alive():
        return synthesize(speech_app(place, deployment, directory))
