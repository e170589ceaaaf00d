"""AWS Signature Version 4, checked: of a request, and of the chained events of a stream.

Pure: the time is passed in. One key pair is known, that of the settings. Raises what AWS answers.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import parse_qsl, quote

from firstword.emulator.eventstream import Message, encode_headers
from firstword.emulator.http.exchange import Request
from firstword.errors import EmulatedError, ProtocolError

__all__ = ["EventVerifier", "RequestVerifier"]

_ALGORITHM = "AWS4-HMAC-SHA256"
_STAMP = "%Y%m%dT%H%M%SZ"
_MAX_SKEW = timedelta(minutes=5)
_STREAMED = "STREAMING-AWS4-HMAC-SHA256-EVENTS"


@dataclass(frozen=True, kw_only=True)
class RequestVerifier:
    """Checks requests signed with one key pair."""

    access_key_id: str
    secret_access_key: str

    def check(self, request: Request, body: bytes, now: datetime, service: str) -> "EventVerifier":
        """Raises EmulatedError (403) unless `request` is signed for `service` within five minutes of `now`.

        `body` is the whole body, or empty for a streamed one; the verifier of its events is returned.
        """
        fields = _authorization(request)
        key_id, date, region, signed_service, _ = fields["Credential"].split("/")
        if key_id != self.access_key_id:
            raise _denied("UnrecognizedClientException", "The security token included in the request is invalid.")
        if signed_service != service:
            raise _denied("InvalidSignatureException", f"Credential should be scoped to correct service: '{service}'.")
        stamp = request.header("x-amz-date")
        if not _recent(stamp, now) or stamp[:8] != date:
            raise _denied("InvalidSignatureException", "Signature expired, or its date is not that of its scope.")
        scope = f"{date}/{region}/{service}/aws4_request"
        key = _signing_key(self.secret_access_key, date, region, service)
        canonical = _canonical_request(request, fields["SignedHeaders"], _body_hash(request, body))
        text = "\n".join((_ALGORITHM, stamp, scope, sha256(canonical.encode()).hexdigest()))
        signature = _sign(key, text).hex()
        if not hmac.compare_digest(signature, fields["Signature"]):
            message = "The request signature we calculated does not match the signature you provided."
            raise _denied("InvalidSignatureException", message)
        return EventVerifier(secret=self.secret_access_key, region=region, service=service, prior=signature)


class EventVerifier:
    """Checks the events of one stream, each signed over the one before; the first over the request."""

    def __init__(self, *, secret: str, region: str, service: str, prior: str) -> None:
        self._secret = secret
        self._region = region
        self._service = service
        self._prior = prior

    def check(self, envelope: Message) -> None:
        """Raises ProtocolError unless `envelope` is the next signed event."""
        signature, date = envelope.headers.get(":chunk-signature"), envelope.headers.get(":date")
        if not isinstance(signature, bytes) or not isinstance(date, datetime):
            raise ProtocolError("An event of the stream is not signed.", code="bad_signature")
        stamp = date.strftime(_STAMP)
        text = "\n".join(
            (
                f"{_ALGORITHM}-PAYLOAD",
                stamp,
                f"{stamp[:8]}/{self._region}/{self._service}/aws4_request",
                self._prior,
                sha256(encode_headers({":date": date})).hexdigest(),
                sha256(envelope.payload).hexdigest(),
            )
        )
        wanted = _sign(_signing_key(self._secret, stamp[:8], self._region, self._service), text)
        if not hmac.compare_digest(wanted, signature):
            raise ProtocolError("The signature of an event does not match.", code="bad_signature")
        self._prior = wanted.hex()


def _authorization(request: Request) -> Mapping[str, str]:
    scheme, _, rest = request.header("authorization").partition(" ")
    if scheme != _ALGORITHM:
        raise _denied("MissingAuthenticationTokenException", "Missing Authentication Token")
    fields = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
    if not {"Credential", "SignedHeaders", "Signature"} <= fields.keys() or fields["Credential"].count("/") != 4:
        raise _denied("IncompleteSignatureException", "The Authorization header is incomplete.")
    return fields


def _recent(stamp: str, now: datetime) -> bool:
    try:
        signed = datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return False
    return abs(now - signed) <= _MAX_SKEW


def _body_hash(request: Request, body: bytes) -> str:
    declared = request.header("x-amz-content-sha256")
    if declared in ("UNSIGNED-PAYLOAD", _STREAMED):
        return declared
    actual = sha256(body).hexdigest()
    if declared and declared != actual:
        raise _denied("InvalidSignatureException", "The body does not have the hash that was signed.")
    return actual


def _canonical_request(request: Request, signed_headers: str, body_hash: str) -> str:
    headers = "".join(f"{name}:{' '.join(request.header(name).split())}\n" for name in signed_headers.split(";"))
    pairs = sorted((quote(k, safe="-_.~"), quote(v, safe="-_.~")) for k, v in parse_qsl(request.query, True))
    query = "&".join(f"{key}={value}" for key, value in pairs)
    # Every service but S3 encodes the path once more than it stands on the wire.
    path = quote(request.path, safe="/-_.~")
    return "\n".join((request.method, path, query, headers, signed_headers, body_hash))


def _signing_key(secret: str, date: str, region: str, service: str) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in (date, region, service, "aws4_request"):
        key = _sign(key, part)
    return key


def _sign(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), sha256).digest()


def _denied(code: str, message: str) -> EmulatedError:
    return EmulatedError(message, code=code, status=403)
