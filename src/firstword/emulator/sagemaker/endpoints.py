"""Endpoints by name, and how SageMaker words what goes wrong with one. The three operations stand above."""

from collections.abc import Mapping

from firstword.emulator.http.exchange import Request
from firstword.errors import EmulatedError

__all__ = ["ACCOUNT", "VARIANT", "Endpoints", "model_error", "variant_of"]

ACCOUNT = "123456789012"
VARIANT = "AllTraffic"


class Endpoints:
    """Base URLs of containers by endpoint name."""

    def __init__(self, urls: Mapping[str, str], region: str) -> None:
        self._urls = {name: url.rstrip("/") for name, url in urls.items()}
        self._region = region

    def url(self, name: str, validation_error: str) -> str:
        """Where the endpoint's container listens. Raises EmulatedError of the type `validation_error` without one."""
        if name not in self._urls:
            message = f"Endpoint {name} of account {ACCOUNT} not found."
            raise EmulatedError(message, code=validation_error, status=400)
        return self._urls[name]

    def log_stream(self, name: str) -> str:
        """The address of the endpoint's log group, as errors carry it."""
        return f"arn:aws:logs:{self._region}:{ACCOUNT}:log-group:/aws/sagemaker/Endpoints/{name}"


def variant_of(request: Request) -> str:
    """The variant that serves the request: the one it asks for, or the only one there is."""
    return request.header("x-amzn-sagemaker-target-variant") or VARIANT


def model_error(status: int, message: str, variant: str, log_stream: str) -> EmulatedError:
    """ModelError 424: whatever a container answered but success, with its own status and message inside."""
    side = "client" if 400 <= status < 500 else "server"
    text = f'Received {side} error ({status}) from {variant} with message "{message}". See {log_stream} for more.'
    members = {"OriginalStatusCode": status, "OriginalMessage": message, "LogStreamArn": log_stream}
    return EmulatedError(text, code="ModelError", status=424, members=members)
