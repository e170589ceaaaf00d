"""What containers said: the newest stream of a log group, its last lines or as it grows."""

from typing import Any

from botocore.exceptions import ClientError

from firstword.errors import InfraError
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of

__all__ = ["LogTail", "last_log_lines"]


def last_log_lines(cloud: Cloud, group: str, limit: int = 20) -> list[str]:
    """The newest lines of the group's newest stream, oldest first; none if it has none yet."""
    return LogTail(cloud, group, limit).more()


class LogTail:
    """A group followed: of whichever stream (container) spoke last, `more` gives at first the newest `limit` lines,
    then what has come since."""

    def __init__(self, cloud: Cloud, group: str, limit: int) -> None:
        self._client = cloud.client("logs")
        self._group = group
        self._limit = limit
        self._tokens: dict[str, str] = {}

    def more(self) -> list[str]:
        """Lines, oldest first; none where there are none, or no such group yet."""
        try:
            with aws_errors("read the logs"):
                found = self._events()
        except InfraError as error:
            if isinstance(error.__cause__, ClientError) and code_of(error.__cause__) == "ResourceNotFoundException":
                return []
            raise
        return [event["message"].rstrip() for event in found]

    def _events(self) -> list[dict[str, Any]]:
        newest = {"orderBy": "LastEventTime", "descending": True, "limit": 1}
        streams = self._client.describe_log_streams(logGroupName=self._group, **newest)["logStreams"]
        if not streams:
            return []
        stream = streams[0]["logStreamName"]
        token = self._tokens.get(stream)
        since = {"nextToken": token, "startFromHead": True} if token else {"limit": self._limit}
        found = self._client.get_log_events(logGroupName=self._group, logStreamName=stream, **since)
        self._tokens[stream] = found["nextForwardToken"]
        events: list[dict[str, Any]] = found["events"]
        return events
