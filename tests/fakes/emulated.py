"""The emulator in front of a container that is not ours, and a caller of its bidirectional stream."""

import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from fakes.frame_container import FrameContainer, frame_container
from fakes.patient import patient
from fakes.sagemaker_caller import Caller, sagemaker_caller
from firstword.emulator.emulator import Behind, Emulator, run_emulator

STORY_S = 60.0


@dataclass(frozen=True, kw_only=True)
class Scene:
    """All that a story needs, up and running."""

    container: FrameContainer
    emulator: Emulator
    caller: Caller

    def stranger(self) -> contextlib.AbstractAsyncContextManager[Caller]:
        """A caller with a wrong secret."""
        return sagemaker_caller(self.emulator.h2_url, key="wrong")


type Play = Callable[..., None]


@contextlib.asynccontextmanager
async def scene(
    way: str, monkeypatch: pytest.MonkeyPatch, endpoints: Mapping[str, str] | None = None, **settings: Any
) -> AsyncIterator[Scene]:
    async with (
        frame_container() as container,
        run_emulator(
            patient(h2=way, **settings), Behind(endpoints={"echo": container.url, **(endpoints or {})})
        ) as emulator,
    ):
        if way == "tls":
            monkeypatch.setenv("SSL_CERT_FILE", emulator.exports["SSL_CERT_FILE"])
        async with sagemaker_caller(emulator.h2_url) as caller:
            yield Scene(container=container, emulator=emulator, caller=caller)
