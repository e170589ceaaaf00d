"""Log records as lines on stderr: `text` for people, `json` for machines. Fields travel in `extra`.

Messages are constant; what varies is a field. No field above DEBUG ever holds what a user said.
"""

import json
import logging
import sys
from typing import Any, Final

from firstword.config import LogSettings
from firstword.errors import ConfigError

__all__ = ["configure_logs"]

_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


def configure_logs(settings: LogSettings) -> None:
    """Send every record of the process to stderr in the form asked for. Raises ConfigError for an unknown one."""
    level = logging.getLevelNamesMapping().get(settings.level.upper())
    if level is None:
        raise ConfigError(f"There is no log level {settings.level!r}.", hint="Use DEBUG, INFO, WARNING or ERROR.")
    formatters = {"text": _Text, "json": _Json}
    if settings.format not in formatters:
        raise ConfigError(f"There is no log format {settings.format!r}.", hint="Use text or json.")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatters[settings.format]())
    logging.basicConfig(handlers=[handler], level=level, force=True)
    logging.getLogger("uvicorn").setLevel(max(level, logging.WARNING))
    logging.getLogger("websockets").setLevel(max(level, logging.WARNING))


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}


def _plain(value: Any) -> str:
    """On one line, whatever it holds: a peer's request id cannot forge a record."""
    text = str(value)
    return text if text.isprintable() and " " not in text else json.dumps(text)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={_plain(value)}" for name, value in _fields(record).items())
        line = f"{self.formatTime(record)} {record.levelname.lower()} {record.getMessage()} {fields}".rstrip()
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": record.created,
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
