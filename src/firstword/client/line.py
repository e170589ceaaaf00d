"""Always one session to send on: opens it, keeps it across answers, replaces it before it grows too old.

A session that is due (its age, `going_away`) is followed by one opened ahead, in the background, so that nobody waits
for the opening. The old one is closed once the requests it carries are done. Above it: `stream` and `connection`.
"""

import asyncio
import logging

from firstword.client.session import Session
from firstword.client.transport import Dial
from firstword.config import ClientSettings
from firstword.errors import ConnectionLost, FirstwordError

__all__ = ["Line"]

_log = logging.getLogger(__name__)


class Line:
    """Owe it `open` first and `aclose` last."""

    def __init__(self, dial: Dial, settings: ClientSettings) -> None:
        self._dial = dial
        self._settings = settings
        self._current: Session | None = None
        self._leaving: list[Session] = []
        self._opening = asyncio.Lock()
        self._work = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> None:
        """The first session. Raises ConnectFailed or TransportTimeout, at once and without another try."""
        await self.session()
        self._keeper = asyncio.create_task(self._keep(), name="firstword line")

    async def session(self) -> Session:
        """The session to give the next request to. Raises ConnectFailed, TransportTimeout."""
        async with self._opening:
            if self._closed:
                raise ConnectionLost("The connection has been closed.")
            current = self._current
            if current is not None and not current.retiring:
                return current
            try:
                fresh = Session(await self._dial(), self._settings, on_retire=self._work.set)
            except FirstwordError:
                if current is None or current.lost:
                    raise
                _log.warning("no new session could be opened; the old one is kept while it lasts")
                return current
            if current is not None:
                self._leaving.append(current)
            self._current = fresh
            return fresh

    def release(self) -> None:
        """A request has ended: a session that has been followed and carries nothing any more may be closed."""
        if self._leaving:
            self._work.set()

    async def _tidy(self) -> None:
        idle = [session for session in self._leaving if session.lost or not session.requests_in_flight]
        self._leaving = [session for session in self._leaving if session not in idle]
        await asyncio.gather(*(session.close() for session in idle))

    async def drop(self) -> None:
        """Abandon every session: what they carry is lost."""
        sessions, self._leaving = [*self._leaving, *([self._current] if self._current else [])], []
        self._current = None
        await asyncio.gather(*(session.abort() for session in sessions))

    async def aclose(self) -> None:
        """End every session politely, within the close deadline. Never raises."""
        self._closed = True
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        sessions = [*self._leaving, *([self._current] if self._current else [])]
        await asyncio.gather(*(session.close() for session in sessions))

    async def _keep(self) -> None:
        """Open the next session when the present one is due; a lost one is replaced when it is needed."""
        while True:
            await self._work.wait()
            self._work.clear()
            current = self._current
            if current is not None and current.retiring and not current.lost:
                try:
                    await self.session()
                except FirstwordError:
                    _log.warning("the session is due and no new one could be opened; the next request tries again")
            await self._tidy()
