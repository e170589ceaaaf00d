"""The operations that are emulated: their names, routes, and how each one words its errors.

Data only. `router` and `faults` stand above.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

__all__ = ["OPERATIONS", "Operation", "find_operation"]

# By fault: the type and members of the exception that the service sends in its stream.
type _InStream = Mapping[str, tuple[str, Mapping[str, object]]]

_SAGEMAKER: _InStream = {
    "stream-error": ("ModelStreamError", {"Message": "The model's stream broke.", "ErrorCode": "StreamBroken"}),
    "stream-failure": ("InternalStreamFailure", {"Message": "An internal failure ended the stream."}),
}
_BEDROCK: _InStream = {
    "stream-error": ("modelStreamErrorException", {"message": "The model's stream broke.", "originalStatusCode": 500}),
    "stream-throttle": ("throttlingException", {"message": "Too many requests, please wait before trying again."}),
    "stream-failure": ("internalServerException", {"message": "An internal failure ended the stream."}),
}


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation.

    `route` captures its one path parameter; `message_key`, `unavailable` and `in_stream` are the service's wording.
    """

    name: str
    route: str
    message_key: str = "message"
    unavailable: str = "ServiceUnavailableException"
    signing_name: str = "bedrock"
    in_stream: _InStream = field(default_factory=dict)


_ALL = (
    Operation(
        name="invoke",
        signing_name="sagemaker",
        route=r"/endpoints/([^/]+)/invocations",
        message_key="Message",
        unavailable="ServiceUnavailable",
    ),
    Operation(
        name="response-stream",
        signing_name="sagemaker",
        route=r"/endpoints/([^/]+)/invocations-response-stream",
        message_key="Message",
        unavailable="ServiceUnavailable",
        in_stream=_SAGEMAKER,
    ),
    Operation(
        name="bidirectional",
        signing_name="sagemaker",
        route=r"/endpoints/([^/]+)/invocations-bidirectional-stream",
        message_key="Message",
        unavailable="ServiceUnavailableError",
        in_stream=_SAGEMAKER,
    ),
    Operation(name="converse", route=r"/model/([^/]+)/converse"),
    Operation(name="converse-stream", route=r"/model/([^/]+)/converse-stream", in_stream=_BEDROCK),
    Operation(name="agent", signing_name="bedrock-agentcore", route=r"/runtimes/([^/]+)/invocations"),
)

OPERATIONS = {operation.name: operation for operation in _ALL}


def find_operation(method: str, path: str) -> tuple[Operation, str] | None:
    """The operation at a path as it stands on the wire, and its decoded path parameter."""
    if method == "POST":
        for operation in _ALL:
            if found := re.fullmatch(operation.route, path):
                return operation, unquote(found[1])
    return None
