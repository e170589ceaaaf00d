"""Signatures as botocore and the smithy SDK make them, checked; and what is wrong with them, found."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from aws_sdk_signers import AsyncEventSigner, AWSCredentialIdentity, SigV4SigningProperties
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from smithy_aws_event_stream.events import EventHeaderEncoder, EventMessage

from firstword.emulator.eventstream import Decoder, Message, encode
from firstword.emulator.http.exchange import Request
from firstword.emulator.signatures import EventVerifier, RequestVerifier
from firstword.errors import EmulatedError, ProtocolError

KEY = "AKIATEST"
VERIFIER = RequestVerifier(access_key_id=KEY, secret_access_key="shh")


def _signed(url: str, body: bytes, key: str = KEY, service: str = "sagemaker") -> Request:
    request = AWSRequest(method="POST", url=url, data=body, headers={"Content-Type": "text/plain", "X-Two": " a   b "})
    SigV4Auth(Credentials(key, "shh"), service, "eu-west-1").add_auth(request)
    prepared = request.prepare()
    target = prepared.url.removeprefix("http://localhost:1")
    headers = [(name.lower(), value) for name, value in prepared.headers.items()]
    return Request(method="POST", target=target, headers=[*headers, ("host", "localhost:1")])


@pytest.mark.parametrize(
    "path",
    [
        "/endpoints/a/invocations",
        "/model/us.amazon.nova%3A0/converse",
        "/runtimes/arn%3Aaws%3Ax%2Fy/invocations?qualifier=a%20b&z=1",
    ],
)
def test_what_botocore_signs_is_accepted(path: str) -> None:
    request = _signed(f"http://localhost:1{path}", b"body")
    VERIFIER.check(request, b"body", datetime.now(UTC), "sagemaker")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"body": b"other"}, "InvalidSignatureException"),
        ({"late": timedelta(minutes=6)}, "InvalidSignatureException"),
        ({"service": "bedrock"}, "InvalidSignatureException"),
        ({"target": "/endpoints/b/invocations"}, "InvalidSignatureException"),
        ({"key": "AKIAOTHER"}, "UnrecognizedClientException"),
        ({"authorization": ""}, "MissingAuthenticationTokenException"),
        ({"authorization": "AWS4-HMAC-SHA256 Credential=x"}, "IncompleteSignatureException"),
    ],
)
def test_what_is_not_signed_for_this_request_is_refused(changed: dict[str, Any], code: str) -> None:
    request = _signed("http://localhost:1/endpoints/a/invocations", b"body", key=changed.get("key", KEY))
    headers = [(n, changed.get(n, v) if n == "authorization" else v) for n, v in request.headers]
    request = Request(method="POST", target=changed.get("target", request.target), headers=headers)
    with pytest.raises(EmulatedError) as caught:
        VERIFIER.check(
            request,
            changed.get("body", b"body"),
            datetime.now(UTC) + changed.get("late", timedelta()),
            changed.get("service", "sagemaker"),
        )
    assert (caught.value.status, caught.value.code) == (403, code)


async def _events(count: int) -> list[Message]:
    signer = AsyncEventSigner(initial_signature=b"00ff", event_encoder_cls=EventHeaderEncoder)
    identity = AWSCredentialIdentity(access_key_id=KEY, secret_access_key="shh")
    properties = SigV4SigningProperties(region="eu-west-1", service="sagemaker")
    signed = []
    for number in range(count):
        event: Any = EventMessage(headers={"n": number}, payload=b"part")
        signed.append(await signer.sign(event=event, identity=identity, properties=properties))
    signed.append(await signer.sign_empty(event=EventMessage(), identity=identity, properties=properties))
    return Decoder().feed(b"".join(event.encode() for event in signed))


def _verifier() -> EventVerifier:
    return EventVerifier(secret="shh", region="eu-west-1", service="sagemaker", prior="00ff")


def test_a_chain_of_signed_events_is_accepted_to_its_end() -> None:
    events = asyncio.run(_events(3))
    verifier = _verifier()
    for event in events:
        verifier.check(event)
    assert events[-1].payload == b""


def test_an_event_that_was_left_out_changed_or_not_signed_breaks_the_chain() -> None:
    first, second, _ = asyncio.run(_events(2))
    with pytest.raises(ProtocolError):
        _verifier().check(second)
    with pytest.raises(ProtocolError):
        _verifier().check(Message(headers=first.headers, payload=first.payload + b"!"))
    with pytest.raises(ProtocolError):
        _verifier().check(Message(payload=encode(first)))
