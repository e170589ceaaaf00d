"""What first-sound makes of its samples: who is over whom, at which length, and what is not to be had."""

import asyncio
from typing import NoReturn

import pytest

from firstword.bench import first_sound
from firstword.bench.peers import Peer
from firstword.bench.statistics import summarize
from firstword.errors import FirstwordError


def point(way: str, audio_s: float, first_ms: float) -> first_sound.Point:
    return first_sound.Point(
        way=way, audio_s=audio_s, first_audible_ms=summarize([first_ms]), real_time_factor=summarize([0.5])
    )


def test_a_ratio_is_of_the_same_sentence_and_named_by_its_length_as_streamed() -> None:
    points = {
        ("streamed", 0): point("streamed", 2.0, 200.0),
        ("streamed", 1): point("streamed", 8.4, 400.0),
        ("kokoro-onnx", 0): point("kokoro-onnx", 2.6, 900.0),
        ("kokoro-onnx", 1): point("kokoro-onnx", 9.1, 3000.0),
    }
    assert first_sound._over_streamed(points, "kokoro-onnx", 2) == {"2 s": 4.5, "8 s": 7.5}


def test_a_peer_that_does_not_come_up_is_told_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    def running(peer: Peer) -> NoReturn:
        raise FirstwordError(f"The system {peer.name} ended.", code="peer")

    monkeypatch.setenv("FIRSTWORD_VOICE_ENGINE", "tone")
    monkeypatch.setattr(first_sound, "running", running)
    monkeypatch.setattr(first_sound, "_fidelity", lambda texts, progress: ())
    measured = asyncio.run(first_sound.run(1, lambda _: None))
    assert "kokoro-onnx" in measured.absent
    assert set(measured.over_streamed) == {"full"}
    assert {point.way for point in measured.points} >= {"full", "streamed"}
