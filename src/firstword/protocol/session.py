"""One session of the speech protocol, as the server keeps it: values in, effects out, no clock and no I/O.

`receive` takes what the client sent, the other methods take what the speech side did; each returns what is to be done,
in order. The rules live here and nowhere else: one terminal message per request, ids used once, requests answered in
order and never mixed, bounds on what waits, `closed` last. What a single request may go through is `requests.TABLE`.
Above it: `server.bidirectional`, which carries the effects out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, assert_never

from firstword.audio import SAMPLE_RATE_HZ, duration_s
from firstword.errors import RequestRefused, SpeechError
from firstword.protocol.effects import Begin, Effect, Feed, Finish, Played, Send, Stop
from firstword.protocol.incoming import joined
from firstword.protocol.messages import (
    Cancel,
    ClientMessage,
    Close,
    Closed,
    Error,
    GoingAway,
    Limits,
    Playback,
    Ready,
    SynthesisCancelled,
    SynthesisComplete,
    SynthesisStart,
    Synthesize,
    TextDelta,
    TextEnd,
)
from firstword.protocol.requests import TABLE, Act, Phase, Step

__all__ = ["Session", "SessionPhase"]

_REMEMBERED_IDS: Final = 10_000


class SessionPhase(Enum):
    """`DRAINING` takes requests until none is left, `CLOSING` takes none; in `CLOSED` nothing is said any more."""

    OPEN = "open"
    DRAINING = "draining"
    CLOSING = "closing"
    CLOSED = "closed"


@dataclass(kw_only=True)
class _Request:
    request_id: str
    phase: Phase = Phase.UNKNOWN
    options: Synthesize | TextDelta | None = None
    chars: int = 0
    half: str = ""
    """The first half of a surrogate pair that a delta ended with."""
    audio_bytes: int = 0
    started: bool = False


@dataclass(frozen=True, kw_only=True)
class _Cause:
    """What came with a step: the options of a text, the error of a failure, the times of a completion."""

    options: Synthesize | TextDelta | None = None
    error: SpeechError = field(default_factory=lambda: SpeechError("The request failed.", code="internal"))
    elapsed_s: float = 0.0
    first_audio_s: float | None = None


class Session:
    """`check` raises RequestRefused for what cannot be served; `default_voice` is what `synthesis_start` then names."""

    def __init__(
        self,
        limits: Limits,
        *,
        check: Callable[[Synthesize | TextDelta], None] | None = None,
        default_voice: str = "af_heart",
    ) -> None:
        self._limits = limits
        self._check = check
        self._default_voice = default_voice
        self._phase = SessionPhase.OPEN
        self._live: dict[str, _Request] = {}
        self._over: dict[str, _Request] = {}
        self._made = 0

    @property
    def phase(self) -> SessionPhase:
        return self._phase

    @property
    def head(self) -> str | None:
        """The request whose audio may go out now; the others wait their turn."""
        return next(iter(self._live), None)

    def open(self, server: str, features: tuple[str, ...], protocol: int) -> list[Effect]:
        return [Send(message=Ready(protocol=protocol, server=server, limits=self._limits, features=features))]

    def receive(self, message: ClientMessage) -> list[Effect]:
        """What a client's message asks for. Never raises: a fault of the client is an `error` message."""
        if self._phase is SessionPhase.CLOSED:
            return []
        match message:
            case Synthesize():
                effects = self._synthesize(message)
            case TextDelta():
                effects = self._text_delta(message)
            case TextEnd():
                effects = self._text_end(message.request_id)
            case Cancel():
                names = list(self._live) if message.request_id is None else [message.request_id]
                effects = [effect for name in names for effect in self._step(name, Step.CANCEL)]
            case Playback():
                known = message.request_id in self._live or message.request_id in self._over
                effects = [Played(request_id=message.request_id, played_s=message.played_s)] if known else []
            case Close():
                effects = self._close()
            case _:
                assert_never(message)
        return self._settle(effects)

    def fault(self, refusal: RequestRefused) -> list[Effect]:
        """A frame that was no message. It ends a request whose text it would have carried, and no other."""
        if self._phase is SessionPhase.CLOSED:
            return []
        if refusal.request_id is None:
            return [Send(message=_error(refusal, None, terminal=False))]
        return self._settle(self._step(refusal.request_id, Step.FAULT, _Cause(error=refusal)))

    def audio(self, request_id: str, audio_bytes: int) -> bool:
        """Whether this much audio of that request may be sent now; counts it if so."""
        request = self._live.get(request_id)
        if request is None or self.head != request_id:
            return False
        request.audio_bytes += audio_bytes
        return True

    def spoken(self, request_id: str, *, elapsed_s: float, first_audio_s: float | None) -> list[Effect]:
        """All audio of a request has been sent."""
        cause = _Cause(elapsed_s=elapsed_s, first_audio_s=first_audio_s)
        return self._settle(self._step(request_id, Step.SPOKEN, cause))

    def fail(self, request_id: str, error: SpeechError) -> list[Effect]:
        """A request cannot be finished."""
        return self._settle(self._step(request_id, Step.FAILURE, _Cause(error=error)))

    def expire(self, request_id: str) -> list[Effect]:
        """No text has come for an open request for too long."""
        return self._settle(self._step(request_id, Step.TEXT_TIMEOUT))

    def drain(self, deadline_s: float) -> list[Effect]:
        """The server is about to stop: the client is told, what is under way goes on."""
        if self._phase is not SessionPhase.OPEN:
            return []
        self._phase = SessionPhase.DRAINING
        return self._settle([Send(message=GoingAway(deadline_s=deadline_s))])

    def abandon(self, error: SpeechError) -> list[Effect]:
        """Every unfinished request fails with `error` and the session ends."""
        effects = [
            effect for name in list(self._live) for effect in self._step(name, Step.FAILURE, _Cause(error=error))
        ]
        if self._phase is not SessionPhase.CLOSED:
            self._phase = SessionPhase.CLOSING
        return self._settle(effects)

    def _synthesize(self, message: Synthesize) -> list[Effect]:
        request_id = message.request_id or self._new_id()
        if self._phase_of(request_id) is not Phase.UNKNOWN:
            return self._step(request_id, Step.SYNTHESIZE)
        refusal = self._refusal(message, len(message.text))
        if refusal is not None:
            return self._step(request_id, Step.FAILURE, _Cause(error=refusal))
        return self._step(request_id, Step.SYNTHESIZE, _Cause(options=message))

    def _text_delta(self, message: TextDelta) -> list[Effect]:
        if self._phase_of(message.request_id) in (Phase.UNKNOWN, Phase.OPEN):
            refusal = self._refusal(message, len(message.text))
            if refusal is not None:
                return self._step(message.request_id, Step.FAILURE, _Cause(error=refusal))
        return self._step(message.request_id, Step.TEXT_DELTA, _Cause(options=message))

    def _text_end(self, request_id: str) -> list[Effect]:
        unknown = RequestRefused(
            "There is no such request to end.", hint="text_end follows the text_delta messages of its request."
        )
        return self._step(request_id, Step.TEXT_END, _Cause(error=unknown))

    def _close(self) -> list[Effect]:
        self._phase = SessionPhase.CLOSING
        still_open = [name for name, request in self._live.items() if request.phase is Phase.OPEN]
        return [effect for name in still_open for effect in self._step(name, Step.TEXT_END)]

    def _refusal(self, message: Synthesize | TextDelta, chars: int) -> RequestRefused | None:
        """Why this text cannot be taken, if so."""
        limits = self._limits
        request = self._live.get(message.request_id) if message.request_id is not None else None
        if chars + (request.chars if request else 0) > limits.max_text_chars:
            text = f"The text is longer than {limits.max_text_chars} characters."
            return RequestRefused(text, code="text_too_long", hint="Send it as several requests.")
        if chars + sum(other.chars for other in self._live.values()) > limits.max_queued_chars:
            text = f"More than {limits.max_queued_chars} characters are waiting."
            return RequestRefused(text, code="overloaded", hint="Send on as answers complete.", retryable=True)
        if request is not None:
            return None
        if self._phase is SessionPhase.CLOSING:
            return RequestRefused("The request came after close.")
        if len(self._live) >= limits.max_queued_requests:
            text = f"{limits.max_queued_requests} requests are waiting."
            return RequestRefused(text, code="overloaded", hint="Send on as answers complete.", retryable=True)
        try:
            if self._check is not None:
                self._check(message)
        except RequestRefused as refusal:
            return refusal
        return None

    def _phase_of(self, request_id: str) -> Phase:
        request = self._live.get(request_id) or self._over.get(request_id)
        return request.phase if request is not None else Phase.UNKNOWN

    def _step(self, request_id: str, step: Step, cause: _Cause | None = None) -> list[Effect]:
        """Move one request by the table; its effects, in order."""
        request = self._live.get(request_id) or self._over.get(request_id) or _Request(request_id=request_id)
        request.phase, act = TABLE[request.phase, step]
        self._file(request)
        return list(self._effects(request, act, cause or _Cause()))

    def _file(self, request: _Request) -> None:
        if request.phase in (Phase.OPEN, Phase.WHOLE):
            self._live[request.request_id] = request
        else:
            self._live.pop(request.request_id, None)
            self._over[request.request_id] = request
            if len(self._over) > _REMEMBERED_IDS:
                del self._over[next(iter(self._over))]

    def _effects(self, request: _Request, act: Act, cause: _Cause) -> Iterator[Effect]:
        name = request.request_id
        match act:
            case Act.BEGIN_WHOLE | Act.BEGIN_LIVE if cause.options is not None:
                request.options = cause.options
                yield Begin(request_id=name, options=cause.options, live=act is Act.BEGIN_LIVE)
                yield self._feed(request, cause.options.text)
                if act is Act.BEGIN_WHOLE:
                    yield Finish(request_id=name)
            case Act.FEED if cause.options is not None:
                yield self._feed(request, cause.options.text)
            case Act.FINISH:
                yield Finish(request_id=name)
            case Act.TELL_AND_FINISH:
                late = RequestRefused("No text came for too long; what came is spoken.", code="text_timeout")
                yield Send(message=_error(late, request, terminal=False))
                yield Finish(request_id=name)
            case Act.COMPLETE:
                yield Send(message=_complete(request, cause))
            case Act.CANCEL:
                yield Stop(request_id=name)
                yield Send(message=SynthesisCancelled(request_id=name, audio_bytes=request.audio_bytes))
            case Act.ACKNOWLEDGE:
                yield Send(message=SynthesisCancelled(request_id=name, audio_bytes=request.audio_bytes))
            case Act.FAIL:
                yield Stop(request_id=name)
                yield Send(message=_error(cause.error, request, terminal=True))
            case Act.REFUSE:
                yield Send(message=_error(cause.error, request, terminal=True))
            case Act.TELL:
                yield Send(message=_error(cause.error, request, terminal=False))
            case Act.DUPLICATE:
                used = RequestRefused("This request id has been used.", code="duplicate_request_id")
                yield Send(message=_error(used, request, terminal=False))
            case _:
                return

    def _feed(self, request: _Request, text: str) -> Feed:
        request.chars += len(text)
        text, request.half = joined(request.half + text)
        return Feed(request_id=request.request_id, text=text)

    def _settle(self, effects: list[Effect]) -> list[Effect]:
        """Whatever happened, a new head is announced and a session with nothing left to say says so."""
        head = next(iter(self._live.values()), None)
        if head is not None and not head.started and head.options is not None:
            head.started = True
            start = SynthesisStart(
                request_id=head.request_id,
                voice=self._default_voice if head.options.voice is None else head.options.voice,
                sample_rate=head.options.sample_rate,
            )
            effects = [*effects, Send(message=start)]
        if head is None and self._phase in (SessionPhase.CLOSING, SessionPhase.DRAINING):
            self._phase = SessionPhase.CLOSED
            effects = [*effects, Send(message=Closed())]
        return effects

    def _new_id(self) -> str:
        while True:
            self._made += 1
            name = f"request-{self._made}"
            if self._phase_of(name) is Phase.UNKNOWN:
                return name


def _complete(request: _Request, cause: _Cause) -> SynthesisComplete:
    rate_hz = request.options.sample_rate if request.options is not None else SAMPLE_RATE_HZ
    return SynthesisComplete(
        request_id=request.request_id,
        total_duration_s=round(duration_s(request.audio_bytes, rate_hz), 6),
        elapsed_s=round(cause.elapsed_s, 6),
        first_audio_s=None if cause.first_audio_s is None else round(cause.first_audio_s, 6),
        audio_bytes=request.audio_bytes,
    )


def _error(error: SpeechError, request: _Request | None, *, terminal: bool) -> Error:
    return Error(
        code=error.code,
        message=error.one_line(),
        request_id=request.request_id if request is not None else None,
        terminal=terminal,
        retryable=error.retryable,
        audio_bytes=request.audio_bytes if request is not None else 0,
    )
