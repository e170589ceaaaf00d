"""Where an audio file goes: whole into its place, into what a link points to, straight into what is no file."""

import os
import stat
import threading
from pathlib import Path

import pytest

from firstword.audio import wav_pcm
from firstword.client.audio_file import open_audio_file
from firstword.errors import OutputError

PCM = b"\x01\x02" * 2400


def _save(path: Path, format_name: str | None = None) -> None:
    with open_audio_file(path, format_name) as file:
        file.write(PCM)


def test_what_a_link_points_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "kept.wav", tmp_path / "link.wav"
    target.write_bytes(b"old")
    link.symlink_to(target)
    _save(link)
    assert link.is_symlink()
    assert wav_pcm(target.read_bytes())[0] == PCM


@pytest.mark.parametrize("format_name", ["wav", "pcm", "mp3"])
def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path: Path, format_name: str) -> None:
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    # Both ends, so that nobody waits for the other; a pipe holds 64 KiB.
    held = os.open(pipe, os.O_RDWR)

    def read() -> None:
        while not got or not got[-1].endswith(b"end"):
            got.append(os.read(held, 65_536))

    reader = threading.Thread(target=read)
    reader.start()
    _save(pipe, format_name)
    os.write(held, b"end")
    reader.join(10)
    os.close(held)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert len(b"".join(got)) > 500


@pytest.mark.parametrize("format_name", ["wav", "pcm", "mp3"])
def test_a_device_without_space_is_told_and_stays_a_device(tmp_path: Path, format_name: str) -> None:
    link = tmp_path / "full"
    link.symlink_to("/dev/full")
    with pytest.raises(OutputError, match="No space left"):
        _save(link, format_name)
    assert link.is_char_device()
    assert list(tmp_path.iterdir()) == [link]
