"""Who may use the gateway: by name, by origin, by key."""

from pathlib import Path

import pytest

from firstword.errors import ConfigError
from firstword.web.access import COOKIE, Access, read_keys

OPEN = Access(hosts=("127.0.0.1", "localhost", "::1"))
LOCKED = Access(hosts=("127.0.0.1",), keys=("first-key", "second-key"))


@pytest.mark.parametrize("host", ["127.0.0.1:8090", "localhost:1", "localhost", "[::1]:8090", "LOCALHOST:80"])
def test_loopback_names_are_ours(host: str) -> None:
    assert OPEN.host_allowed(host)


@pytest.mark.parametrize("host", ["", "evil.example", "127.0.0.1.evil.example:8090", "localhost.evil.example", "[::2]"])
def test_a_name_that_merely_resolves_here_is_refused(host: str) -> None:
    assert not OPEN.host_allowed(host)


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://127.0.0.1:8090", True),
        ("http://127.0.0.1:8091", False),
        ("http://localhost:8090", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_only_our_own_page_may_ask(origin: str | None, allowed: bool) -> None:
    assert OPEN.origin_allowed(origin, "127.0.0.1:8090") is allowed


def test_without_keys_none_is_asked_for() -> None:
    assert OPEN.holds_key({})


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, False),
        ({"authorization": "Bearer second-key"}, True),
        ({"authorization": "Bearer second-ke"}, False),
        ({"authorization": "Basic first-key"}, False),
        ({"cookie": f"a=b; {COOKIE}=first-key"}, True),
        ({"cookie": f"{COOKIE}=wrong"}, False),
        ({"cookie": "\x00;;=;"}, False),
    ],
)
def test_a_key_is_taken_as_bearer_token_or_cookie(headers: dict[str, str], allowed: bool) -> None:
    assert LOCKED.holds_key(headers) is allowed


def test_keys_are_read_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text("one\n\n two \n")
    assert read_keys(str(path)) == ("one", "two")
    assert read_keys(None) == ()


@pytest.mark.parametrize("content", [None, "", "\n \n"])
def test_a_key_file_without_keys_is_an_error_that_names_it(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "keys"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConfigError) as caught:
        read_keys(str(path))
    assert str(path) in caught.value.message
