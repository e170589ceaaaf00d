"""AWS credentials and region, as boto3 finds them, with one line on what to do where they are missing.

boto3's chain knows every source (environment, profiles, SSO, containers, instances); the streaming SDK's own knows few.
Above it: `transport`, `invoke`, and the reader of agents.
"""

import asyncio
from typing import Any

import boto3
from botocore.credentials import Credentials, RefreshableCredentials
from botocore.exceptions import BotoCoreError
from smithy_aws_core.identity import AWSCredentialsIdentity

from firstword.config import aws_region
from firstword.errors import ConfigError

__all__ = ["BotoIdentity", "boto_session", "find_region", "no_credentials"]


def boto_session(region: str | None = None) -> boto3.Session:
    """A session in that region, or in the one of the AWS configuration. Raises ConfigError."""
    try:
        return boto3.Session(region_name=region or aws_region())
    except BotoCoreError as error:
        raise ConfigError("The AWS configuration cannot be read.", hint=f"Check AWS_PROFILE: {error}") from error


def find_region(session: boto3.Session) -> str:
    """Raises ConfigError where none is set."""
    if session.region_name is None:
        raise ConfigError("No AWS region is set.", hint="Pass --region or set AWS_REGION.")
    return session.region_name


def no_credentials() -> ConfigError:
    """What to tell where there are none."""
    hint = "Run `aws configure` or `aws sso login`, or set AWS_PROFILE."
    return ConfigError("There are no AWS credentials.", hint=hint)


class BotoIdentity:
    """boto3's credentials for the streaming SDK, refreshed before they expire."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials

    @classmethod
    async def find(cls, session: boto3.Session) -> "BotoIdentity":
        """Raises ConfigError where there are none."""
        try:
            credentials = await asyncio.to_thread(session.get_credentials)
        except BotoCoreError as error:
            raise ConfigError("The AWS credentials cannot be read.", hint=f"Check them: {error}") from error
        if credentials is None:
            raise no_credentials()
        return cls(credentials)

    async def get_identity(self, *, properties: Any) -> AWSCredentialsIdentity:  # noqa: ARG002  # the SDK's interface
        """What to sign with now. Raises ConfigError when expired credentials cannot be renewed."""
        credentials = self._credentials
        try:
            if isinstance(credentials, RefreshableCredentials) and credentials.refresh_needed():
                frozen = await asyncio.to_thread(credentials.get_frozen_credentials)
            else:
                frozen = credentials.get_frozen_credentials()
        except BotoCoreError as error:
            raise ConfigError("The AWS credentials have expired.", hint="Renew them, e.g. `aws sso login`.") from error
        if not frozen.access_key or not frozen.secret_key:
            raise ConfigError("The AWS credentials are not complete.", hint="Set both the key id and the secret key.")
        return AWSCredentialsIdentity(
            access_key_id=frozen.access_key, secret_access_key=frozen.secret_key, session_token=frozen.token
        )

    async def invalidate(self) -> None:
        """Nothing is kept here that boto3 does not renew by itself."""
