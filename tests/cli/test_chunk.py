"""`firstword chunk` as a person runs it."""

import json
import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-c", "from firstword.cli.main import run; run()", "chunk"]


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], input=text, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


def test_sentences_of_standard_input_come_one_a_line() -> None:
    done = run("--stats", text="Ask Dr. Lee.\nShe is in. Go")
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["Ask Dr. Lee.", "She is in.", "Go"]
    assert "chunks" in done.stderr


def test_json_says_where_each_sentence_stands() -> None:
    text = "  One.  Two is\n\n3.5. "
    done = run("--json", "--stats", text=text)
    result = json.loads(done.stdout)
    assert [text[chunk["char_start"] : chunk["char_end"]] for chunk in result["chunks"]] == ["One.", "Two is", "3.5."]
    assert all(chunk["text"] == text[chunk["char_start"] : chunk["char_end"]] for chunk in result["chunks"])
    assert result["stats"]["chunks"] == 3


def test_the_first_chunk_may_be_a_clause() -> None:
    done = run("--first-chunk", "clause", "When the rain had stopped, we went out.")
    assert done.stdout.splitlines() == ["When the rain had stopped,", "we went out."]


def test_a_wrong_first_chunk_is_wrong_use_on_one_line() -> None:
    done = run("--first-chunk", "word", "Hello.")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_a_sentence_comes_while_its_line_is_still_being_written() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write("Café is open. It".encode())
            process.stdin.flush()
            assert process.stdout.readline().decode() == "Café is open.\n"
            process.stdin.write(b" closes at six")
            process.stdin.close()
            assert process.stdout.read() == b"It closes at six\n"
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (b"One.\r\nTwo.\r\n", ["One.", "Two."]),
        (b"caf\xe9 is \xff fine. Go", ["caf\ufffd is \ufffd fine.", "Go"]),
        (b"\x00\x01 a. \x00B \xe2\x82", ["\x00\x01 a. \x00B \ufffd"]),
    ],
)
def test_bytes_of_any_kind_are_cut_and_none_ends_in_a_traceback(written: bytes, lines: list[str]) -> None:
    done = subprocess.run(COMMAND, input=written, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().split("\n")[:-1] == lines


def test_an_output_without_unicode_is_written_as_far_as_it_can_be() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        COMMAND, input="Café. Ok.".encode(), capture_output=True, env=environment, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"Caf?.\nOk.\n")


def test_a_reader_that_goes_away_ends_the_command_in_silence() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            process.stdin.write(b"One is here. Two")
            process.stdin.flush()
            assert process.stdout.readline() == b"One is here.\n"
            process.stdout.close()
            process.stdin.write(b" is here. Three is here. Four")
            process.stdin.close()
            assert process.stderr.read() == b""
            process.wait(timeout=60)
        finally:
            process.kill()
