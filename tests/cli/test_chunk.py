"""`firstword chunk` as a person runs it."""

import json
import subprocess
import sys


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from firstword.cli.main import run; run()", "chunk", *arguments]
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", timeout=60, check=False)


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
