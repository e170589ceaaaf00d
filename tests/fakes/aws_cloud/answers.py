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
    tells the digest under a repository's tag, `manifest` the kind of all of them, `configuration` what the images of a
    repository are, None for a repository without any. `default_quotas` are those of every account, `quotas` this
    one's; `model` and `profile` add to what Bedrock tells. `held` names stacks that a deletion begins on and never
    ends; `after` holds what to do once an operation has been carried out."""

    quotas: dict[str, float] = field(default_factory=dict)
    default_quotas: dict[str, float] = field(default_factory=dict)
    model_access: str = "AUTHORIZED"
    model: dict[str, Any] = field(default_factory=dict)
    profile: dict[str, Any] = field(default_factory=dict)
    prices: list[float] = field(default_factory=list)
    endpoint: list[dict[str, Any]] = field(default_factory=list)
    faults: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    images: Callable[[str, str], str | None] = lambda repository, tag: None
    manifest: str = "application/vnd.docker.distribution.manifest.v2+json"
    configuration: Callable[[str], dict[str, Any] | None] = lambda repository: fitting_image(repository)
    calls: list[Call] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    after: dict[str, Callable[[Call], None]] = field(default_factory=dict)


def fitting_image(repository: str) -> dict[str, Any]:
    """The configuration of an image as the service that runs it wants it."""
    label = "com.amazonaws.sagemaker.capabilities.bidirectional-streaming"
    machine = "arm64" if repository.endswith("agent") else "amd64"
    return {"os": "linux", "architecture": machine, "config": {"Labels": {label: "true"}}}


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
        answer = self._fault(call) or self._answer(call, environ["HTTP_HOST"])
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

    def _answer(self, call: Call, host: str) -> tuple[int, dict[str, Any]] | None:
        match call.operation:
            case "DeleteStack" if call.body["StackName"] in self.script.held:
                return 200, {}
            case "DescribeScalingActivities":
                return 200, {"ScalingActivities": []}
            case "GetProducts":
                return 200, {"PriceList": [json.dumps(_product(price)) for price in self.script.prices]}
            case "ListServiceQuotas" if call.body.get("ServiceCode") == "sagemaker":
                return 200, {"Quotas": [{"QuotaName": n, "Value": v} for n, v in self.script.quotas.items()]}
            case "ListAWSDefaultServiceQuotas":
                return 200, {"Quotas": [{"QuotaName": n, "Value": v} for n, v in self.script.default_quotas.items()]}
            case "GetFoundationModelAvailability":
                name = call.path.rpartition("/")[2]
                access = {"authorizationStatus": self.script.model_access, "regionAvailability": "AVAILABLE"}
                return 200, {"modelId": name, "entitlementAvailability": "AVAILABLE"} | access | self.script.model
            case "GetFoundationModel":
                details = {"modelId": call.path.rpartition("/")[2], "inferenceTypesSupported": ["ON_DEMAND"]}
                return 200, {"modelDetails": details | self.script.model}
            case "GetInferenceProfile":
                arn = "arn:aws:bedrock:us-west-2::foundation-model/amazon.nova-lite-v1:0"
                return 200, {"status": "ACTIVE", "models": [{"modelArn": arn}]} | self.script.profile
            case "DescribeEndpoint" if self.script.endpoint:
                said = self.script.endpoint[0] if len(self.script.endpoint) == 1 else self.script.endpoint.pop(0)
                if "__type" in said:
                    return 400, said
                return 200, {"EndpointName": call.body["EndpointName"], "EndpointConfigName": ""} | said
            case "DescribeImages":
                return self._image(call)
            case "BatchGetImage":
                there = self.script.configuration(call.body["repositoryName"]) is not None
                manifest = json.dumps({"mediaType": self.script.manifest, "config": {"digest": "sha256:0"}})
                image = {"imageManifest": manifest, "imageManifestMediaType": self.script.manifest}
                return 200, {"images": [image] if there else [], "failures": []}
            case "GetDownloadUrlForLayer":
                return 200, {"downloadUrl": f"http://{host}/layers/{call.body['repositoryName']}"}
            case operation if operation.startswith("GET /layers/"):
                return 200, self.script.configuration(operation.removeprefix("GET /layers/")) or {}
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
_BEDROCK_PATHS = {
    "/foundation-model-availability/": "GetFoundationModelAvailability",
    "/foundation-models/": "GetFoundationModel",
    "/inference-profiles/": "GetInferenceProfile",
}
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
    for beginning, operation in _BEDROCK_PATHS.items():
        if service == "bedrock" and path.startswith(beginning):
            return operation
    if service == "s3":
        query = environ.get("QUERY_STRING", "")
        for (only, name), operation in _S3_QUERIES.items():
            if only in ("", method) and name in query:
                return operation
        kind = "Object" if path.strip("/").count("/") else "Bucket"
        return f"{method.title()}{kind}"
    return f"{method} {path}"
