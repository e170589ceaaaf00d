"""An AWS account as the toolkit sees it: who we are, where, and clients whose failures come out on one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import boto3
import botocore.session
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConfigParseError,
    CredentialRetrievalError,
    HTTPClientError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
    ProfileNotFound,
    ProxyConnectionError,
    SSLError,
    SSOError,
    TokenRetrievalError,
)
from botocore.exceptions import ConnectionError as NotConnected
from botocore.parsers import ResponseParserError

from firstword.config import aws_region
from firstword.errors import ConfigError, InfraError, UsageError

__all__ = ["Cloud", "aws_errors", "code_of", "open_cloud"]

_SIGN_IN = "Sign in (aws sso login, aws configure), or name a profile with --profile."
_EXPIRED = {"ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"}
_BAD_KEYS = {
    "InvalidClientTokenId",
    "UnrecognizedClientException",
    "SignatureDoesNotMatch",
    "InvalidSignatureException",
    "InvalidAccessKeyId",
}
# A signature carries the time it was made at: of an old one, or one of the future, the signer's clock is to blame.
_SKEWED = {"RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture"}
_STALE = ("Signature expired", "Signature not yet current")
_DENIED = {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "AuthorizationError"}
_THROTTLED = {"Throttling", "ThrottlingException", "TooManyRequestsException", "RequestLimitExceeded"}


class Cloud:
    """One account in one region. Clients retry throttling by themselves before they give up."""

    def __init__(self, session: boto3.Session, region: str) -> None:
        self._session = session
        self.region = region
        self.profile = session.profile_name
        self._clients: dict[str, Any] = {}

    def client(self, service: str) -> Any:
        if service not in self._clients:
            config = Config(connect_timeout=10, read_timeout=60, retries={"mode": "standard", "total_max_attempts": 4})
            with aws_errors():
                self._clients[service] = self._made(service, config)
        return self._clients[service]

    def _made(self, service: str, config: Config) -> Any:
        try:
            return self._session.client(service, region_name=self.region, config=config)  # type: ignore[call-overload]
        except ValueError as error:
            raise ConfigError("AWS_ENDPOINT_URL, or the endpoint_url of the profile, is no address.") from error

    @cached_property
    def account(self) -> str:
        """The account's number; the first call that needs credentials."""
        with aws_errors():
            number: str = self.client("sts").get_caller_identity()["Account"]
        return number

    def elsewhere(self, region: str) -> "Cloud":
        """The same account in another region."""
        return Cloud(self._session, region)


def open_cloud(region: str | None, profile: str | None) -> Cloud:
    """The account the credentials belong to. Raises UsageError for a region or profile that does not exist
    and for settings that cannot be read."""
    with aws_errors():
        session = boto3.Session(profile_name=profile, region_name=region)
        chosen = session.region_name or aws_region()
    if not chosen:
        raise UsageError("No AWS region is set.", code="no_region", hint="Pass --region, or set AWS_REGION.")
    if chosen not in session.get_available_regions("sagemaker"):
        raise UsageError(
            f"{chosen!r} is no region with SageMaker.", code="bad_region", hint="Pass one such as us-east-1."
        )
    return Cloud(session, chosen)


def code_of(error: ClientError) -> str:
    code: str = error.response.get("Error", {}).get("Code", "")
    return code


@contextmanager
def aws_errors(doing: str = "") -> Iterator[None]:
    """Failures of AWS calls as InfraError, said so that the next step is clear. `doing` is what was tried."""
    try:
        yield
    except ClientError as error:
        raise _client_error(error, doing) from error
    except (NoCredentialsError, PartialCredentialsError) as error:
        raise InfraError("No AWS credentials were found.", code="no_credentials", hint=_SIGN_IN) from error
    except NoRegionError as error:
        raise UsageError("No AWS region is set.", code="no_region", hint="Pass --region, or set AWS_REGION.") from error
    except ProfileNotFound as error:
        name, known = error.kwargs["profile"], ", ".join(_profiles()) or "none"
        raise UsageError(f"There is no AWS profile {name!r}.", code="no_profile", hint=f"Known: {known}.") from error
    except ConfigParseError as error:
        path = error.kwargs["path"]
        raise UsageError(f"{path} is no file of AWS settings.", code="bad_aws_config", hint="Mend it.") from error
    except (SSOError, TokenRetrievalError, CredentialRetrievalError) as error:
        raise InfraError(
            "The AWS sign-in has expired or does not give credentials.", code="expired_credentials", hint=_SIGN_IN
        ) from error
    except (NotConnected, HTTPClientError) as error:
        raise _unreachable(error) from error
    except ResponseParserError as error:
        raise InfraError("AWS answered something that is no answer.", code="aws_error", retryable=True) from error
    except BotoCoreError as error:
        raise InfraError(
            f"The AWS SDK refused{f' to {doing}' if doing else ''} ({type(error).__name__}).", hint=_SIGN_IN
        ) from error


def _profiles() -> list[str]:
    """Every profile there is, whichever AWS_PROFILE names."""
    return sorted(botocore.session.Session(session_vars={"profile": (None, None, None, None)}).available_profiles)


def _unreachable(error: BotoCoreError) -> InfraError:
    match error:
        case ProxyConnectionError():
            what, hint = "The proxy could not be reached.", "Check HTTPS_PROXY and NO_PROXY."
        case SSLError():
            what = "The certificate that came in AWS's place is not trusted."
            hint = "Where a proxy puts its own, name its authority in AWS_CA_BUNDLE."
        case _:
            what, hint = "AWS could not be reached.", "Check the network and the region."
    return InfraError(what, code="unreachable", hint=hint, retryable=True)


def _client_error(error: ClientError, doing: str) -> InfraError:
    code = code_of(error)
    operation = error.operation_name
    text = " ".join(error.response.get("Error", {}).get("Message", "").split())[:300]
    if code in _SKEWED or text.startswith(_STALE):
        return InfraError("This machine's clock is wrong: AWS refuses its signatures.", code="clock", hint="Set it.")
    if code in _EXPIRED:
        return InfraError("The AWS credentials have expired.", code="expired_credentials", hint=_SIGN_IN)
    if code in _BAD_KEYS:
        return InfraError("AWS does not accept these credentials.", code="bad_credentials", hint=_SIGN_IN)
    if code in _DENIED:
        return InfraError(
            f"You may not call {operation}.",
            code="access_denied",
            hint="docs/guide/deploy.md lists what a deployer needs.",
        )
    if code in _THROTTLED:
        return InfraError(f"AWS is throttling {operation}.", code="throttled", hint="Try again.", retryable=True)
    what = f"{operation} failed" if not doing else f"Could not {doing}"
    return InfraError(f"{what}: {code}{f': {text}' if text else ''}", code="aws_error")
