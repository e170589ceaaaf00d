"""Log lines: constant text, fields beside it, as text or as JSON."""

import json
import logging
from collections.abc import Iterator

import pytest

from firstword.config import LogSettings
from firstword.errors import ConfigError
from firstword.server.logs import configure_logs


@pytest.fixture(autouse=True)
def _loggers_as_they_were() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def test_json_lines_carry_their_fields_and_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings(format="json"))
    try:
        raise ValueError("bad")
    except ValueError:
        logging.getLogger("firstword.test").exception("it broke", extra={"request_id": "a", "audio_s": 1.5})
    line = json.loads(capsys.readouterr().err)
    assert line.items() >= {"level": "error", "message": "it broke", "request_id": "a", "audio_s": 1.5}.items()
    assert "ValueError" in line["exception"]


def test_text_lines_end_in_their_fields(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings())
    logging.getLogger("firstword.test").info("request ended", extra={"outcome": "complete"})
    assert capsys.readouterr().err.endswith(" info request ended outcome=complete\n")


def test_a_field_cannot_forge_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings())
    logging.getLogger("firstword.test").info("request ended", extra={"request_id": "a\n2026 info forged"})
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("settings", [LogSettings(level="LOUD"), LogSettings(format="xml")])
def test_an_unknown_level_or_format_is_refused(settings: LogSettings) -> None:
    with pytest.raises(ConfigError):
        configure_logs(settings)
