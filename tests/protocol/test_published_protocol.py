"""The published page and the code say the same: messages, fields, examples, the state table, the error codes."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from firstword.protocol import messages
from firstword.protocol.codec import decode_client, decode_server, encode
from firstword.protocol.codes import CODES
from firstword.protocol.requests import TABLE, Phase, Step

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/protocol.md").read_text(encoding="utf-8")
CLIENT: tuple[type[msgspec.Struct], ...] = get_args(messages.ClientMessage.__value__)
SERVER: tuple[type[msgspec.Struct], ...] = get_args(messages.ServerMessage.__value__)


def _section(title: str) -> str:
    return re.split(r"\n#{2,3} ", PAGE.split(f" {title}\n", 1)[1])[0]


def _rows(title: str) -> list[list[str]]:
    lines = [line for line in _section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _kinds(union: tuple[type[msgspec.Struct], ...]) -> dict[str, type[msgspec.Struct]]:
    return {str(member.__struct_config__.tag): member for member in union}


def _examples(side: str) -> list[str]:
    block = re.search(rf"```json {side}\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    return block.group(1).splitlines()


@pytest.mark.parametrize(("title", "union"), [("Client to server", CLIENT), ("Server to client", SERVER)])
def test_every_message_and_each_of_its_fields_is_on_the_page(title: str, union: tuple[Any, ...]) -> None:
    written = {row[0].strip("`"): set(re.findall(r"`(\w+)`", row[1])) for row in _rows(title)}
    for kind, member in _kinds(union).items():
        assert written[kind] == set(member.__struct_fields__), kind


def test_limits_and_words_are_on_the_page() -> None:
    section = _section("Server to client")
    for fields in (messages.Limits.__struct_fields__, messages.Word.__struct_fields__):
        assert all(f"`{field}`" in section for field in fields)


def test_every_client_example_is_a_message_and_every_message_has_one() -> None:
    decoded = [decode_client(line) for line in _examples("client")]
    assert {type(message) for message in decoded} == set(CLIENT)
    assert [decode_client(encode(message)) for message in decoded] == decoded


def test_every_server_example_is_what_the_server_would_write() -> None:
    decoded = [decode_server(line) for line in _examples("server")]
    assert {type(message) for message in decoded} == set(SERVER)
    assert [encode(message) for message in decoded if message is not None] == _examples("server")


def test_the_state_table_is_the_one_the_session_runs_by() -> None:
    head, _, *rows = _rows("The life of a request")
    assert head == ["step", *(phase.value for phase in Phase)]
    assert [row[0] for row in rows] == [step.value for step in Step]
    for row, step in zip(rows, Step, strict=True):
        for cell, phase in zip(row[1:], Phase, strict=True):
            entry = TABLE.get((phase, step))
            assert cell == ("-" if entry is None else f"{entry[1].value} → {entry[0].value}"), (phase, step)


def test_the_error_codes_are_on_the_page_with_their_meaning() -> None:
    _, _, *rows = _rows("Error codes")
    assert {row[0].strip("`"): row[1] for row in rows} == CODES


def test_no_room_of_the_speech_side_raises_a_code_that_is_not_published() -> None:
    rooms = [ROOT / "src/firstword" / room for room in ("protocol", "speech", "server")]
    files = [file for room in rooms for file in room.rglob("*.py")]
    used = {code for file in files for code in re.findall(r'code="(\w+)"', file.read_text(encoding="utf-8"))}
    assert used <= set(CODES)
