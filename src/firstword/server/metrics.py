"""What the server counts, in Prometheus' terms. Each server has a registry of its own; names are documented.

`outcome` is complete, cancelled, refused (the client's mistake or overload), failed (ours) or gone (the client left).
"""

from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

__all__ = ["METRICS_CONTENT_TYPE", "Metrics", "Outcome", "Route"]

type Outcome = Literal["complete", "cancelled", "refused", "failed", "gone"]
type Route = Literal["bidirectional", "invocations", "openai"]

METRICS_CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_FIRST_AUDIO_BUCKETS_S: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "firstword_requests", "Requests that have ended.", ["route", "outcome"], registry=self._registry
        )
        self._first_audio = Histogram(
            "firstword_first_audio_seconds",
            "From the arrival of a request to its first audio on the network.",
            ["route"],
            buckets=_FIRST_AUDIO_BUCKETS_S,
            registry=self._registry,
        )
        self._audio = Counter("firstword_audio_seconds", "Audio sent.", registry=self._registry)
        self._sessions = Gauge("firstword_sessions", "Open WebSocket sessions.", registry=self._registry)
        self._slots = Gauge("firstword_slots_taken", "Sessions and running requests.", registry=self._registry)
        self._queue = Gauge("firstword_queued_requests", "Requests not yet all spoken.", registry=self._registry)
        self._synthesis = Gauge(
            "firstword_synthesis_seconds", "Seconds spent in inference since the start.", registry=self._registry
        )
        self._factor = Gauge(
            "firstword_real_time_factor", "Seconds of inference per second of audio sent.", registry=self._registry
        )
        self._sent_s = 0.0

    def ended(self, route: Route, outcome: Outcome) -> None:
        self._requests.labels(route=route, outcome=outcome).inc()

    def first_audio(self, route: Route, seconds: float) -> None:
        self._first_audio.labels(route=route).observe(seconds)

    def audio(self, seconds: float) -> None:
        self._audio.inc(seconds)
        self._sent_s += seconds

    def render(self, *, sessions: int, slots: int, queued: int, synthesis_s: float) -> bytes:
        """The page, with the gauges as they stand now."""
        self._sessions.set(sessions)
        self._slots.set(slots)
        self._queue.set(queued)
        self._synthesis.set(synthesis_s)
        self._factor.set(synthesis_s / self._sent_s if self._sent_s else 0.0)
        return generate_latest(self._registry)
