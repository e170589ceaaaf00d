"""What is asked of a command and cannot be meant is refused before anything starts, with what can be."""

from collections.abc import Callable

import pytest

from firstword.cli.agent import agent
from firstword.cli.chunk import chunk
from firstword.cli.emulate import emulate
from firstword.cli.languages import check_language
from firstword.cli.speakable import speakable
from firstword.cli.voices import voices
from firstword.errors import FirstwordError

REFUSED: list[tuple[Callable[[], None], str]] = [
    (lambda: chunk(["Hi."], language="zz"), "'zz'; one of: en, es, fr"),
    (lambda: chunk(["Hi."], language=""), "''; one of: en, es, fr"),
    (lambda: speakable(["Hi."], language="zz"), "'zz'; one of: en, es, fr"),
    (lambda: voices(language="xx"), "'xx'; one of: en-us, en-gb"),
    (lambda: voices(language="ko"), "'ko'; one of: en-us, en-gb"),
    (lambda: emulate(rtt_ms=-5.0), "FIRSTWORD_EMULATOR_RTT_MS is -5"),
    (lambda: emulate(session_limit_s=-1.0), "FIRSTWORD_EMULATOR_SESSION_LIMIT_S is -1"),
    (lambda: emulate(ping_misses=-1), "FIRSTWORD_EMULATOR_PING_MISSES is -1"),
    (lambda: agent(speech="zap"), "'zap' is no address"),
    (lambda: agent(speech="endpoint:"), "'endpoint:' is no address"),
]


@pytest.mark.parametrize(("command", "told"), REFUSED)
def test_what_cannot_be_meant_is_refused_with_what_can(command: Callable[[], None], told: str) -> None:
    with pytest.raises(FirstwordError) as caught:
        command()
    assert told in caught.value.message
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("given", "meant"),
    [("en", ["en-us", "en-gb"]), ("EN_us", ["en-us"]), ("pt", ["pt-br"]), ("es-MX", ["es"]), (" zh ", ["zh"])],
)
def test_a_language_may_be_written_as_others_write_it(given: str, meant: list[str]) -> None:
    assert check_language(given, ["en-us", "en-gb", "es", "pt-br", "zh"]) == meant
