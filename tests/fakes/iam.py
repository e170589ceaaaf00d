"""Evaluates identity policies as IAM does, as far as ours go: wildcards, allow statements, conditions ignored.

Also records what this process's AWS SDKs are asked to call, by a hook in each of the two SDKs.
"""

import fnmatch
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from aws_sdk_sagemaker_runtime_http2.client import AsyncSageMakerRuntimeHTTP2Client
from botocore.client import BaseClient

__all__ = ["Policy", "SdkCall", "policies_of", "record_sdk_calls"]


@dataclass(frozen=True, kw_only=True)
class SdkCall:
    """One call: service and operation as the SDK names them, and what it was asked with."""

    service: str
    operation: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Policy:
    """Allow statements only; resources as text, references of a template as `<LogicalId.Attribute>`."""

    statements: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]

    def allows(self, action: str, resource: str) -> bool:
        return any(
            any(fnmatch.fnmatchcase(action.lower(), pattern.lower()) for pattern in actions)
            and any(fnmatch.fnmatchcase(resource, pattern) for pattern in resources)
            for actions, resources in self.statements
        )

    @property
    def actions(self) -> set[str]:
        return {action for actions, _ in self.statements for action in actions}


def policies_of(template: dict[str, Any], *kinds: str) -> dict[str, Policy]:
    """Policies of these resource types by logical id."""
    wanted = kinds or ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy")
    return {
        name: Policy(tuple(_statements(item["Properties"]["PolicyDocument"])))
        for name, item in template["Resources"].items()
        if item["Type"] in wanted
    }


def _statements(document: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    for statement in document["Statement"]:
        if statement["Effect"] != "Allow":
            raise AssertionError("only allow statements are understood")
        yield tuple(_many(statement["Action"])), tuple(_text(item) for item in _many(statement["Resource"]))


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    match value:
        case str():
            return value
        case {"Fn::GetAtt": [name, attribute]}:
            return f"<{name}.{attribute}>"
        case {"Ref": name}:
            return f"<{name}>"
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(_text(part) for part in parts)
        case {"Fn::ImportValue": name}:
            return f"<{name}>"
    raise AssertionError(f"a resource that is not understood: {json.dumps(value)}")


def record_sdk_calls(monkeypatch: pytest.MonkeyPatch) -> list[SdkCall]:
    """The list that every AWS call of this process is added to from now on."""
    calls: list[SdkCall] = []
    botocore_call: Any = BaseClient._make_api_call  # type: ignore[attr-defined]
    smithy_call: Any = AsyncSageMakerRuntimeHTTP2Client.invoke_endpoint_with_bidirectional_stream

    def called(self: Any, operation: str, parameters: dict[str, Any]) -> Any:
        service = self.meta.service_model.service_name
        calls.append(SdkCall(service=service, operation=operation, parameters=dict(parameters)))
        return botocore_call(self, operation, parameters)

    def streamed(self: Any, given: Any, *rest: Any, **more: Any) -> Any:
        asked = {"EndpointName": given.endpoint_name}
        operation = "InvokeEndpointWithBidirectionalStream"
        calls.append(SdkCall(service="sagemaker-runtime", operation=operation, parameters=asked))
        return smithy_call(self, given, *rest, **more)

    monkeypatch.setattr(BaseClient, "_make_api_call", called)
    monkeypatch.setattr(AsyncSageMakerRuntimeHTTP2Client, "invoke_endpoint_with_bidirectional_stream", streamed)
    return calls
