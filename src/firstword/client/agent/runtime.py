"""An agent in AgentCore Runtime: InvokeAgentRuntime through boto3, and the signed address of its `/ws`.

boto3's own line reader holds events back until 1 KiB has come; this one gives what has arrived. Below it: boto3.
Above it: `connection`.
"""

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import closing
from typing import Any, Final
from urllib.parse import quote, urlsplit

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import BotoCoreError, ClientError
from urllib3.exceptions import HTTPError

from firstword.client.agent.doors import SESSION_HEADER, Address, event_texts
from firstword.client.sagemaker.identity import boto_session, no_credentials
from firstword.client.sagemaker.invoke import boto_config, boto_failure, read_failure
from firstword.client.threads import from_thread
from firstword.config import ClientSettings, aws_endpoint_url
from firstword.errors import AgentError, ConnectFailed, UsageError

__all__ = ["RuntimeDoor", "region_of", "runtime_socket"]

_READ_BYTES: Final = 65_536
_SERVICE: Final = "bedrock-agentcore"


def _refused(error: ClientError) -> ConnectFailed:
    """What AgentCore answered in the agent's place."""
    status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500))
    match status:
        case 400 | 404:
            hint = "Check its ARN and region (`agent-infra status`)."
            return ConnectFailed("AgentCore knows no such agent runtime.", code="no_endpoint", hint=hint)
        case 401 | 403:
            hint = "Renew the credentials if they have expired; they need bedrock-agentcore:InvokeAgentRuntime."
            return ConnectFailed("AWS refuses access to the agent runtime.", code="unauthorized", hint=hint)
        case 424:
            hint = "Its log says more (`agent-infra logs`)."
            return ConnectFailed("The agent's container answers with an error.", code="model_error", hint=hint)
        case 429:
            return ConnectFailed("AgentCore throttles the agent runtime.", code="throttled", retryable=True)
        case _:
            return ConnectFailed(f"AgentCore answers {status} for the agent runtime.", retryable=status >= 500)


def region_of(arn: str) -> str:
    """Raises UsageError for what is no ARN of a runtime."""
    parts = arn.split(":", 5)
    if len(parts) != 6 or parts[2] != _SERVICE or not parts[3] or "/" not in parts[5]:
        raise UsageError(
            f"{arn!r} is no ARN of an agent runtime.", hint="It is arn:aws:bedrock-agentcore:REGION:ACCOUNT:runtime/ID."
        )
    return parts[3]


class RuntimeDoor:
    """`POST /invocations` of an agent, by way of AWS."""

    def __init__(self, arn: str, session_id: str, settings: ClientSettings) -> None:
        self._arn = arn
        self._session_id = session_id
        self._settings = settings
        self._session = boto_session(region_of(arn))

    async def open(self) -> None:
        """Every call has its own connection."""

    async def ask(self, payload: bytes) -> AsyncGenerator[str | bytes]:
        pieces = from_thread(self._call(payload), name="firstword agent")
        try:
            async for text in event_texts(pieces):
                yield text
        except ClientError as error:
            raise _refused(error) from error
        except BotoCoreError as error:
            raise boto_failure(error, "the agent runtime") from error
        except HTTPError as error:
            raise read_failure(error, "the agent runtime") from error
        finally:
            await pieces.aclose()

    async def tell(self, payload: bytes) -> list[str]:
        return [text async for text in self.ask(payload) if isinstance(text, str)]

    async def abandon(self, cancel: bytes) -> None:
        await self.tell(cancel)

    async def aclose(self) -> None:
        """Every call has its own client; none is kept."""

    def _call(self, payload: bytes) -> Iterator[bytes]:
        with closing(self._session.client(_SERVICE, config=boto_config(self._settings))) as client:
            answer: Any = client.invoke_agent_runtime(
                agentRuntimeArn=self._arn,
                runtimeSessionId=self._session_id,
                contentType="application/json",
                accept="text/event-stream",
                payload=payload,
            )
            with closing(answer["response"]) as body:
                if "text/event-stream" not in answer.get("contentType", ""):
                    raise AgentError("The agent answers without events.", code="agent_failed", hint="See its log.")
                # Private, but the only reader here that gives what has come instead of waiting for more.
                raw = body._raw_stream
                while data := raw.read1(_READ_BYTES):
                    yield data


def runtime_socket(arn: str, session_id: str) -> Address:
    """The address of the runtime's `/ws`, signed anew each time it is asked for."""
    region = region_of(arn)
    session = boto_session(region)

    def address() -> tuple[str, Mapping[str, str]]:
        credentials = session.get_credentials()
        if credentials is None:
            raise no_credentials()
        base = aws_endpoint_url("BEDROCK_AGENTCORE") or f"https://{_SERVICE}.{region}.amazonaws.com"
        url = f"{base}/runtimes/{quote(arn, safe='')}/ws"
        request = AWSRequest(method="GET", url=url, headers={"Host": urlsplit(url).netloc})
        SigV4Auth(credentials, _SERVICE, region).add_auth(request)
        signed = {name: value for name, value in request.headers.items() if name.lower() != "host"}
        return url.replace("http", "ws", 1), {**signed, SESSION_HEADER: session_id}

    return address
