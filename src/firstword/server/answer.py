"""One request of a session while it is being answered: its utterance, its frames, its timers, its times.

Audio leaves at the rate that the request asked for. Resampling stays on the loop: 200 ms of audio cost it some tens of
microseconds, a hop to a thread and back costs more.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from firstword.audio import duration_s
from firstword.codecs.resample import Resampler
from firstword.kokoro.synthesizer import VoiceOptions
from firstword.protocol.effects import Begin
from firstword.protocol.messages import Synthesize, TextDelta
from firstword.server.frames import Framer
from firstword.server.metrics import Outcome
from firstword.server.serving import Serving
from firstword.speech.items import Audio, Done, Failed, SentenceBegun, Waiting, WordTimings
from firstword.speech.listener import Listener
from firstword.speech.service import SpeechService

__all__ = ["Answer", "voice_options"]

_log = logging.getLogger(__name__)
_A_TICK_S: Final = 0.02
_LOOK_AGAIN_S: Final = 0.25
"""How long planned text will play is an estimate."""


def voice_options(message: Synthesize | TextDelta, default_voice: str) -> VoiceOptions:
    return VoiceOptions(
        voice=default_voice if message.voice is None else message.voice,
        speed=1.0 if message.speed is None else message.speed,
        language=message.language,
        trim=message.trim,
    )


class Answer:
    """`expire` is called when live text has stopped coming. The session owes it `end`, once, however it ends."""

    def __init__(
        self, serving: Serving, service: SpeechService, listener: Listener, begin: Begin, expire: Callable[[], None]
    ) -> None:
        self.request_id = begin.request_id
        self.wants_timings = begin.options.timings
        self._serving = serving
        self._listener = listener
        self._live = begin.live
        self._expire = expire
        self.utterance = service.say(
            listener,
            voice_options(begin.options, serving.default_voice),
            live=begin.live,
            joined=isinstance(begin.options, Synthesize) and begin.options.joined,
            pronunciations=begin.options.pronunciations,
        )
        self._framer = Framer()
        self._rate_hz = begin.options.sample_rate
        self._resampler = Resampler(self._rate_hz)
        self._next: SentenceBegun | WordTimings | Waiting | Done | Failed | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self._began_s = time.monotonic()
        self._chars = 0
        self._audio_s = 0.0
        self.first_audio_s: float | None = None

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._began_s

    def feed(self, text: str) -> None:
        self._chars += len(text)
        self.utterance.feed(text)
        if self._live:
            self._disarm()
            loop, settings = asyncio.get_running_loop(), self._serving.settings
            self._timers = [
                loop.call_later(settings.idle_flush_ms / 1000, self.utterance.idle),
                loop.call_later(settings.text_timeout_s, self._expire),
            ]
            if settings.stall_flush_ms > 0:
                self._await_stall(settings.stall_flush_ms / 1000)

    def _await_stall(self, seconds: float) -> None:
        self._timers.append(asyncio.get_running_loop().call_later(seconds, self._stall))

    def _stall(self) -> None:
        """No text has come for long: that matters once the listener is about to run dry."""
        left_s = self.utterance.ahead_s - self._serving.settings.stall_lead_ms / 1000
        if left_s > 0.0:
            self._await_stall(min(left_s + _A_TICK_S, _LOOK_AGAIN_S))
        else:
            self.utterance.stall()

    def finish(self) -> None:
        self._disarm()
        self.utterance.finish()

    def next(self, *, audio: bool) -> bytes | SentenceBegun | WordTimings | Waiting | Done | Failed | None:
        """A frame of audio or the item that comes next; None if nothing is there, or only audio and none is wanted."""
        while True:
            if audio and (frame := self._framer.pop()) is not None:
                return frame
            if not audio and self._framer.has_frame:
                return None
            if self._next is not None:
                item, self._next = self._next, None
                return item
            if not audio and isinstance(self.utterance.peek(), Audio):
                return None
            match self.utterance.take():
                case None:
                    return None
                case Audio(pcm=pcm):
                    self._framer.push(self._resampler.feed(pcm))
                case Done() | Failed() as last:
                    self._framer.push(self._resampler.flush())
                    self._framer.finish()
                    self._next = last
                case item:
                    self._framer.flush()
                    self._next = item

    def duration_s(self, frame: bytes) -> float:
        """How long a frame of this request plays."""
        return duration_s(len(frame), self._rate_hz)

    def sent(self, frame: bytes) -> None:
        """A frame has been handed to the network."""
        if self.first_audio_s is None:
            self.first_audio_s = self.elapsed_s
            self._serving.metrics.first_audio("bidirectional", self.first_audio_s)
        self._audio_s += self.duration_s(frame)
        self._serving.metrics.audio(self.duration_s(frame))

    def end(self, outcome: Outcome) -> None:
        """It is over: whatever still runs for it stops."""
        self._disarm()
        self._listener.cut(self.utterance)
        self._serving.metrics.ended("bidirectional", outcome)
        fields = {
            "request_id": self.request_id,
            "outcome": outcome,
            "chars": self._chars,
            "audio_s": round(self._audio_s, 3),
            "first_audio_s": None if self.first_audio_s is None else round(self.first_audio_s, 4),
            "elapsed_s": round(self.elapsed_s, 4),
        }
        _log.info("request ended", extra=fields)

    def _disarm(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = []
