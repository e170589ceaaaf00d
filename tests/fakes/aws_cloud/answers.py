"""Answers to calls moto has none for, scripted statuses, faults, and a list of every call that came in."""

import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import parse_qs

type Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call of an SDK: service as it signs itself, operation, and the body's top-level values. `sdk` is boto3 for
    the toolkit's own, something else for the CDK's command line."""

    sdk: str
    service: str
    operation: str
    path: str
    body: dict[str, Any]


@dataclass(kw_only=True)
class Script:
    """What the account is to say. `endpoint` holds statuses given out one per look, the last one for ever; `images`
    tells the digest under a repository's tag, `manifest` the kind of all of them. `held` names
    stacks that a deletion begins on and never ends; `after` holds what to do once an operation has been carried out."""

    quotas: dict[str, float] = field(default_factory=dict)
    model_access: str = "AUTHORIZED"
    prices: list[float] = field(default_factory=list)
    endpoint: list[dict[str, Any]] = field(default_factory=list)
    faults: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    images: Callable[[str, str], str | None] = lambda repository, tag: None
    manifest: str = "application/vnd.docker.distribution.manifest.v2+json"
    calls: list[Call] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    after: dict[str, Callable[[Call], None]] = field(default_factory=dict)


class Answers:
    """Stands before moto."""

    def __init__(self, behind: Wsgi, script: Script) -> None:
        self._behind = behind
        self.script = script

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        call = _call(environ, body)
        if call.service:
            self.script.calls.append(call)
        answer = self._fault(call) or self._answer(call)
        if answer is None:
            answered = self._behind(environ, start_response)
            self._afterwards(call)
            return answered
        self._afterwards(call)
        status, value = answer
        data = json.dumps(value).encode()
        if call.service == "s3" and status >= 400:
            data = "<Error><Code>{__type}</Code><Message>{message}</Message></Error>".format(**value).encode()
        elif "Action" in call.body:
            data = (_XML_FAULT if status >= 400 else _XML_DONE).format(operation=call.operation, **value).encode()
        headers = [("Content-Type", "application/x-amz-json-1.1"), ("Content-Length", str(len(data)))]
        if "__type" in value:
            headers.append(("x-amzn-errortype", value["__type"]))
        start_response(f"{status} Answer", headers)
        return [data]

    def _afterwards(self, call: Call) -> None:
        if then := self.script.after.get(call.operation):
            then(call)

    def _fault(self, call: Call) -> tuple[int, dict[str, Any]] | None:
        fault = self.script.faults.get(call.operation)
        return None if fault is None else (fault[0], {"__type": fault[1], "message": fault[2]})

    def _answer(self, call: Call) -> tuple[int, dict[str, Any]] | None:
        match call.operation:
            case "DeleteStack" if call.body["StackName"] in self.script.held:
                return 200, {}
            case "DescribeScalingActivities":
                return 200, {"ScalingActivities": []}
            case "GetProducts":
                return 200, {"PriceList": [json.dumps(_product(price)) for price in self.script.prices]}
            case "ListServiceQuotas" if call.body.get("ServiceCode") == "sagemaker":
                return 200, {"Quotas": [{"QuotaName": n, "Value": v} for n, v in self.script.quotas.items()]}
            case "GetFoundationModelAvailability":
                access = {"authorizationStatus": self.script.model_access, "regionAvailability": "AVAILABLE"}
                return 200, {"modelId": call.path.rpartition("/")[2]} | access
            case "DescribeEndpoint" if self.script.endpoint:
                said = self.script.endpoint[0] if len(self.script.endpoint) == 1 else self.script.endpoint.pop(0)
                if "__type" in said:
                    return 400, said
                return 200, {"EndpointName": call.body["EndpointName"], "EndpointConfigName": ""} | said
            case "DescribeImages":
                return self._image(call)
        return None

    def _image(self, call: Call) -> tuple[int, dict[str, Any]]:
        (wanted,) = call.body["imageIds"]
        digest = self.script.images(call.body["repositoryName"], wanted["imageTag"])
        if digest is None:
            return 400, {"__type": "ImageNotFoundException", "message": "no such image"}
        image = {
            "imageDigest": digest,
            "imageTags": [wanted["imageTag"]],
            "imageManifestMediaType": self.script.manifest,
        }
        return 200, {"imageDetails": [image]}


def _product(price: float) -> dict[str, Any]:
    dimension = {"pricePerUnit": {"USD": str(price)}}
    return {
        "product": {"attributes": {"usagetype": "USE1-Host:ml.g5.xlarge"}},
        "terms": {"OnDemand": {"term": {"priceDimensions": {"dimension": dimension}}}},
    }


_XML_FAULT = "<ErrorResponse><Error><Code>{__type}</Code><Message>{message}</Message></Error></ErrorResponse>"
_XML_DONE = "<{operation}Response><ResponseMetadata><RequestId>0</RequestId></ResponseMetadata></{operation}Response>"
_SCOPE = re.compile(r"Credential=[^/]+/\d+/[^/]+/([^/]+)/")
# By method and by what the query begins to name; no method means any.
_S3_QUERIES = {
    ("", "versions"): "ListBucketVersions",
    ("", "list-type"): "ListBucket",
    ("", "delete"): "DeleteObjects",
    ("GET", "uploads"): "ListMultipartUploads",
    ("POST", "uploads"): "CreateMultipartUpload",
    ("PUT", "partNumber"): "UploadPart",
    ("GET", "uploadId"): "ListParts",
    ("POST", "uploadId"): "CompleteMultipartUpload",
    ("DELETE", "uploadId"): "AbortMultipartUpload",
}


def _call(environ: dict[str, Any], body: bytes) -> Call:
    found = _SCOPE.search(environ.get("HTTP_AUTHORIZATION", ""))
    service = found.group(1) if found else ""
    path = environ["PATH_INFO"]
    sdk = "boto3" if environ.get("HTTP_USER_AGENT", "").startswith("Boto3") else "other"
    made = partial(Call, sdk=sdk, service=service, path=path)
    target = environ.get("HTTP_X_AMZ_TARGET", "")
    if target:
        return made(operation=target.rpartition(".")[2], body=json.loads(body or b"{}"))
    form = {key: values[0] for key, values in parse_qs(body.decode(errors="replace")).items()}
    if "Action" in form:
        return made(operation=form["Action"], body=form)
    return made(operation=_rest(service, environ["REQUEST_METHOD"], path, environ), body={})


def _rest(service: str, method: str, path: str, environ: dict[str, Any]) -> str:
    if service == "bedrock" and path.startswith("/foundation-model-availability/"):
        return "GetFoundationModelAvailability"
    if service == "s3":
        query = environ.get("QUERY_STRING", "")
        for (only, name), operation in _S3_QUERIES.items():
            if only in ("", method) and name in query:
                return operation
        kind = "Object" if path.strip("/").count("/") else "Bucket"
        return f"{method.title()}{kind}"
    return f"{method} {path}"
