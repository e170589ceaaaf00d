"""Sound from whatever player the machine has, fed as the audio comes.

Knows command lines of players and nothing of speech. Above it: `firstword say --play`.
"""

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from firstword.audio import SAMPLE_RATE_HZ
from firstword.client.audio_file import open_audio_file
from firstword.errors import OutputError, UsageError

__all__ = ["Player", "find_player", "open_player"]

_RATE: Final = str(SAMPLE_RATE_HZ)
_STREAMING: Final = {
    "paplay": ("--raw", "--format=s16le", "--channels=1", f"--rate={_RATE}", "--latency-msec=100"),
    "aplay": ("-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", _RATE, "-"),
    "ffplay": ("-loglevel", "error", "-nodisp", "-autoexit", "-f", "s16le", "-ar", _RATE, "-ch_layout", "mono", "-"),
}
"""Players that take raw PCM on standard input, best first."""
_FILES_ONLY: Final = "afplay"


def find_player(which: Callable[[str], str | None] = shutil.which) -> str:
    """Path of a player. Raises UsageError if the machine has none."""
    for name in (*_STREAMING, _FILES_ONLY):
        if found := which(name):
            return found
    known = ", ".join((*_STREAMING, _FILES_ONLY))
    raise UsageError(f"This machine has no player (looked for {known}).", hint="Write a file with -o instead.")


class Player:
    """Give it PCM (24 kHz, s16le, mono) with `play`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._process: asyncio.subprocess.Process | None = None
        self._kept = bytearray()

    async def play(self, pcm: bytes) -> None:
        """Hand audio on; waits while the player has plenty. Raises OutputError when the player fails."""
        options = _STREAMING.get(Path(self._path).name)
        if options is None:
            self._kept += pcm
            return
        if self._process is None:
            self._process = await self._start(*options)
        if self._process.stdin is not None:
            with contextlib.suppress(ConnectionError):
                self._process.stdin.write(pcm)
                await self._process.stdin.drain()
        if self._process.returncode is not None:
            await self.finish()

    async def finish(self) -> None:
        """Wait until all has been heard. Raises OutputError when the player failed."""
        if self._kept:
            await self._play_file()
            return
        if self._process is None:
            return
        process, self._process = self._process, None
        _, said = await process.communicate()
        self._check(process, said)

    async def stop(self) -> None:
        """Silence at once, if it still plays."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.communicate()

    async def _play_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "speech.wav"
            with open_audio_file(path) as file:
                file.write(bytes(self._kept))
            self._process = await self._start(str(path))
            _, said = await self._process.communicate()
            self._check(self._process, said)

    async def _start(self, *options: str) -> asyncio.subprocess.Process:
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        return await asyncio.create_subprocess_exec(self._path, *options, stdin=pipe, stdout=nothing, stderr=pipe)

    def _check(self, process: asyncio.subprocess.Process, said: bytes) -> None:
        if process.returncode:
            last = next((line for line in reversed(said.decode(errors="replace").splitlines()) if line.strip()), "")
            hint = last or "Is there a sound device?"
            raise OutputError(f"{Path(self._path).name} failed with exit code {process.returncode}.", hint=hint)


@asynccontextmanager
async def open_player() -> AsyncIterator[Player]:
    """A player; the block ends when all has been heard, or at once if it fails. Raises UsageError if there is none."""
    player = Player(find_player())
    try:
        yield player
        await player.finish()
    finally:
        await player.stop()
