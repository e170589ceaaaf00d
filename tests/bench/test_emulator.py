"""The emulator's own bench, for real and short."""

import asyncio
import os

import pytest

from firstword.bench import emulator

pytestmark = pytest.mark.slow


def test_every_route_is_measured_beside_the_direct_websocket(caplog: pytest.LogCaptureFixture) -> None:
    before = dict(os.environ)
    cost = asyncio.run(emulator.run(6, lambda _: None, opens=6))
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert dict(os.environ) == before
    assert [route.route for route in cost.routes] == ["tls, native transport", "tls, our transport", "h2c"]
    assert {route.frame_ms.n for route in cost.routes} == {cost.direct_frame_ms.n} == {6}
    assert all(route.warm_open_ms.n == 6 for route in cost.routes)


def test_a_soak_counts_frames_and_finds_none_wrong() -> None:
    soaked = asyncio.run(emulator.soak(1.0, lambda _: None, streams=5))
    assert soaked.frames > 5
    assert soaked.wrong == 0
