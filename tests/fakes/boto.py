"""boto3 clients for an emulator, in threads of their own so that a test's loop goes on."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import boto3
from botocore.config import Config

WAIT_S = 20.0


@contextlib.contextmanager
def boto_client(service: str, exports: Mapping[str, str], **settings: Any) -> Iterator[Any]:
    """A client that retries nothing, for the emulator whose `exports` are given."""
    variable = f"AWS_ENDPOINT_URL_{service.upper().replace('-', '_')}"
    options: dict[str, Any] = {
        "retries": {"total_max_attempts": 1},
        "proxies": {},
        "read_timeout": WAIT_S,
        **settings,
    }
    client: Any = boto3.session.Session().client(
        service,  # type: ignore[call-overload]  # the stubs want a literal
        endpoint_url=exports[variable],
        region_name=exports["AWS_REGION"],
        aws_access_key_id=exports["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=exports["AWS_SECRET_ACCESS_KEY"],
        config=Config(**options),
    )
    try:
        yield client
    finally:
        client.close()


def events_of(stream: Any) -> list[Any]:
    """All events of a response's stream, whose connection is given up whatever happens."""
    with contextlib.closing(stream):
        return list(stream)


async def in_thread[T](call: Callable[[], T]) -> T:
    """The result of a blocking call, within a deadline."""
    return await asyncio.wait_for(asyncio.to_thread(call), WAIT_S)
