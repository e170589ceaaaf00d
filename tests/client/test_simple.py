"""`firstword.say`: one blocking call, from any thread, with a server or without."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import firstword
from fakes.speech_server import speech_server
from firstword.audio import wav_pcm
from firstword.codecs.decoder import decode_whole
from firstword.errors import CodecError, ConnectFailed, OutputError, RemoteError, UsageError

TEXT = "Hello there. It has two sentences."


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The real server, in a thread of its own: `say` blocks the test's."""
    ready, stop, urls = threading.Event(), asyncio.Event(), list[str]()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        async with speech_server() as server:
            urls.append(server.url)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    assert ready.wait(20)
    yield urls[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join(20)
    loop.close()


def test_a_text_comes_back_as_speech_with_its_words(url: str) -> None:
    speech = firstword.say(TEXT, url=url)
    assert speech.duration_s == len(speech.pcm) / 48_000 > 1.0
    assert [sentence.text for sentence in speech.sentences] == ["Hello there.", "It has two sentences."]
    assert [TEXT[word.char_start : word.char_end] for word in speech.words] == [word.word for word in speech.words]
    assert len(speech.words) == 6
    assert speech.words[-1].end_s <= speech.duration_s
    assert speech.voice == "af_heart"


def test_it_works_in_a_running_loop_and_in_many_threads_at_once(url: str) -> None:
    async def in_loop() -> firstword.Speech:
        return firstword.say(TEXT, url=url)

    expected = asyncio.run(in_loop()).pcm
    heard: list[bytes] = []
    threads = [threading.Thread(target=lambda: heard.append(firstword.say(TEXT, url=url).pcm)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert heard == [expected] * 4


@pytest.mark.parametrize("given", [5, None, b"Hello.", ["Hello."]])
def test_what_is_no_text_is_refused_by_its_kind(given: Any) -> None:
    with pytest.raises(UsageError, match=type(given).__name__):
        firstword.say(given, url="http://127.0.0.1:1")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"voice": ""}, "voice is ''"),
        ({"voice": 5}, "voice is 5"),
        ({"language": " "}, "language is ' '"),
        ({"first_chunk": "word"}, "first_chunk 'word'; one of: clause, sentence"),
        ({"delivery": "post"}, "delivery 'post'; one of: sentences, deltas, whole"),
    ],
)
def test_what_can_only_be_a_mistake_is_refused_before_anything_is_opened(how: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        firstword.connect("http://127.0.0.1:1", **how)


def test_a_format_that_the_suffix_contradicts_is_refused(tmp_path: Path) -> None:
    speech = firstword.Speech(pcm=bytes(9_600))
    with pytest.raises(CodecError, match=r"speech\.wav says wav, the format asked for is mp3"):
        speech.save(tmp_path / "speech.wav", format="mp3")
    assert list(tmp_path.iterdir()) == []
    assert speech.save(tmp_path / "speech.ogg", format="opus").exists()
    assert speech.save(tmp_path / "speech", format="mp3").exists()


@pytest.mark.parametrize("suffix", ["wav", "pcm", "mp3", "flac"])
def test_the_suffix_names_the_format_of_a_saved_file(url: str, suffix: str, tmp_path: Path) -> None:
    speech = firstword.say(TEXT, url=url)
    path = speech.save(tmp_path / f"speech.{suffix}")
    pcm, rate_hz = decode_whole(path.read_bytes(), suffix)
    assert rate_hz == 24_000
    assert abs(len(pcm) - len(speech.pcm)) < 4_800
    assert list(tmp_path.iterdir()) == [path]
    if suffix == "wav":
        assert wav_pcm(path.read_bytes()) == (speech.pcm, 24_000)


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    speech = firstword.Speech(pcm=b"\0\0" * 100)
    with pytest.raises(CodecError, match="names no format"):
        speech.save(tmp_path / "speech.doc")
    with pytest.raises(OutputError, match="No such file"):
        speech.save(tmp_path / "missing" / "speech.wav")
    (tmp_path / "folder.wav").mkdir()
    with pytest.raises(OutputError, match="Is a directory"):
        speech.save(tmp_path / "folder.wav")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.wav"]


def test_a_file_that_fills_the_disk_is_one_line(tmp_path: Path) -> None:
    speech = firstword.Speech(pcm=b"\0\0" * 100_000)
    full = tmp_path / "speech.wav"
    code = (
        "import resource, signal, sys, firstword\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
        "from firstword.errors import OutputError\n"
        "try: firstword.Speech(pcm=bytes(200_000)).save(sys.argv[1])\n"
        "except OutputError as error: print(error.one_line())\n"
    )
    result = subprocess.run([sys.executable, "-c", code, full], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == f"Cannot write {full}: File too large.\n"
    assert list(tmp_path.iterdir()) == []
    assert speech.save(full).stat().st_size == 44 + len(speech.pcm)


def test_what_cannot_be_said_is_told_by_type(url: str) -> None:
    with pytest.raises(UsageError, match="no text"):
        firstword.say("  \n", url=url)
    with pytest.raises(RemoteError, match="voice"):
        firstword.say(TEXT, url=url, voice="nobody")
    with pytest.raises(ConnectFailed):
        firstword.say(TEXT, url="http://127.0.0.1:1")
    with pytest.raises(UsageError, match="no address"):
        firstword.say(TEXT, url="nowhere")


def test_without_a_server_one_is_started_once_and_ends_with_the_program() -> None:
    code = (
        "import firstword, threading\n"
        "from firstword.client import local\n"
        "texts = [firstword.say('Hello there.').pcm for _ in range(2)]\n"
        "assert texts[0] == texts[1]\n"
        "assert len(local._running) == 1\n"
        "print(local._running[0]._process.pid)\n"
    )
    environ = {"FIRSTWORD_VOICE_ENGINE": "tone", "PATH": "/usr/bin:/bin"}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True, env=environ
    )
    assert not Path(f"/proc/{result.stdout.strip()}").exists()


def test_a_server_that_does_not_start_is_told_with_what_it_said() -> None:
    code = (
        "import firstword\n"
        "from firstword.errors import FirstwordError\n"
        "try: firstword.say('Hello there.')\n"
        "except FirstwordError as error: print(error.one_line())\n"
    )
    environ = {"FIRSTWORD_VOICE_ENGINE": "gramophone", "PATH": "/usr/bin:/bin"}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True, env=environ
    )
    assert result.stdout.startswith("The speech server did not start.")
    assert "gramophone" in result.stdout


@pytest.mark.parametrize(
    "how", [{"speed": float("nan")}, {"speed": float("inf")}, {"voice": "\ud800"}, {"language": "\ud800"}]
)
def test_what_json_cannot_carry_is_refused_before_it_is_sent(url: str, how: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(how))):
        firstword.say(TEXT, url=url, **how)
