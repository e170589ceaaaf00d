"""The session's rules one by one, then all of them against any order of events that a race can bring."""

import os
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from firstword.errors import EngineFailed, RequestRefused
from firstword.protocol.codec import decode_client
from firstword.protocol.effects import Begin, Effect, Feed, Finish, Played, Send, Stop
from firstword.protocol.messages import (
    Cancel,
    ClientMessage,
    Close,
    Closed,
    Error,
    GoingAway,
    Limits,
    Playback,
    ServerMessage,
    SynthesisCancelled,
    SynthesisComplete,
    SynthesisStart,
    Synthesize,
    TextDelta,
    TextEnd,
)
from firstword.protocol.session import Session, SessionPhase

RACES = int(os.environ.get("FIRSTWORD_TEST_RACES", "400"))
LIMITS = Limits(
    max_text_chars=40,
    max_queued_requests=3,
    max_queued_chars=60,
    max_lead_s=3.0,
    text_timeout_s=30.0,
    max_message_bytes=1000,
)


def _session(**options: Any) -> Session:
    return Session(LIMITS, **options)


def _said(effects: list[Effect]) -> list[ServerMessage]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def _codes(effects: list[Effect]) -> list[tuple[str, bool]]:
    return [(message.code, message.terminal) for message in _said(effects) if isinstance(message, Error)]


def test_a_synthesize_begins_is_fed_and_finished_and_its_start_is_told() -> None:
    message = Synthesize(text="Hi.", request_id="a", voice="af_bella")
    assert _session().receive(message) == [
        Begin(request_id="a", options=message, live=False),
        Feed(request_id="a", text="Hi."),
        Finish(request_id="a"),
        Send(message=SynthesisStart(request_id="a", voice="af_bella", sample_rate=24_000)),
    ]


def test_a_request_without_an_id_is_given_one_that_is_free() -> None:
    session = _session()
    session.receive(Synthesize(text="Hi.", request_id="request-1"))
    begin = session.receive(Synthesize(text="Hi."))[0]
    assert isinstance(begin, Begin)
    assert begin.request_id == "request-2"


def test_requests_are_answered_in_order_and_audio_of_the_second_waits() -> None:
    session = _session()
    session.receive(Synthesize(text="One.", request_id="a"))
    assert _said(session.receive(Synthesize(text="Two.", request_id="b"))) == []
    assert not session.audio("b", 100)
    assert session.audio("a", 48_000)
    complete, start = _said(session.spoken("a", elapsed_s=0.5, first_audio_s=0.25))
    assert complete == SynthesisComplete(
        request_id="a", total_duration_s=1.0, elapsed_s=0.5, first_audio_s=0.25, audio_bytes=48_000
    )
    assert isinstance(start, SynthesisStart)
    assert session.audio("b", 100)


def test_cancel_is_acknowledged_once_with_the_bytes_sent_and_again_when_asked_again() -> None:
    session = _session()
    session.receive(Synthesize(text="One.", request_id="a"))
    session.audio("a", 640)
    assert session.receive(Cancel(request_id="a")) == [
        Stop(request_id="a"),
        Send(message=SynthesisCancelled(request_id="a", audio_bytes=640)),
    ]
    assert not session.audio("a", 640)
    assert session.spoken("a", elapsed_s=1.0, first_audio_s=None) == []
    again = session.receive(Cancel(request_id="a"))
    assert again == [Send(message=SynthesisCancelled(request_id="a", audio_bytes=640))]


def test_cancel_without_an_id_stops_everything_in_order() -> None:
    session = _session()
    session.receive(TextDelta(text="One", request_id="a"))
    session.receive(Synthesize(text="Two.", request_id="b"))
    assert [m.request_id for m in _said(session.receive(Cancel())) if isinstance(m, SynthesisCancelled)] == ["a", "b"]
    assert session.head is None


def test_a_cancel_that_overtakes_its_request_keeps_it_from_being_spoken() -> None:
    session = _session()
    session.receive(Cancel(request_id="a"))
    assert _codes(session.receive(Synthesize(text="One.", request_id="a"))) == [("duplicate_request_id", False)]
    assert session.receive(TextDelta(text="One.", request_id="a")) == []


def test_deltas_are_fed_until_the_end_and_dropped_after_it() -> None:
    session = _session()
    session.receive(TextDelta(text="One ", request_id="a"))
    assert session.receive(TextDelta(text="two.", request_id="a")) == [Feed(request_id="a", text="two.")]
    assert session.receive(TextEnd(request_id="a")) == [Finish(request_id="a")]
    assert session.receive(TextDelta(text="late", request_id="a")) == []
    assert session.receive(TextEnd(request_id="a")) == []


def test_a_duplicate_id_is_told_and_harms_neither_a_running_nor_a_finished_request() -> None:
    session = _session()
    session.receive(Synthesize(text="One.", request_id="a"))
    for _ in range(2):
        assert _codes(session.receive(Synthesize(text="Two.", request_id="a"))) == [("duplicate_request_id", False)]
        session.spoken("a", elapsed_s=0.1, first_audio_s=None)


def test_text_that_stops_coming_is_told_finished_and_spoken() -> None:
    session = _session()
    session.receive(TextDelta(text="One", request_id="a"))
    effects = session.expire("a")
    assert _codes(effects) == [("text_timeout", False)]
    assert effects[-1] == Finish(request_id="a")
    assert isinstance(_said(session.spoken("a", elapsed_s=31.0, first_audio_s=0.2))[0], SynthesisComplete)


def test_bounds_are_told_as_errors_of_the_request_that_broke_them() -> None:
    session = _session()
    assert _codes(session.receive(Synthesize(text="x" * 41, request_id="long"))) == [("text_too_long", True)]
    session.receive(TextDelta(text="x" * 30, request_id="a"))
    session.receive(Synthesize(text="x" * 25, request_id="b"))
    assert _codes(session.receive(Synthesize(text="x" * 10, request_id="c"))) == [("overloaded", True)]
    session.receive(Synthesize(text="x", request_id="d"))
    assert _codes(session.receive(Synthesize(text="x", request_id="e"))) == [("overloaded", True)]
    assert _codes(session.receive(TextDelta(text="x" * 11, request_id="a"))) == [("text_too_long", True)]
    assert session.head == "b"


def test_options_that_cannot_be_served_end_their_request_only() -> None:
    def check(options: Synthesize | TextDelta) -> None:
        if options.voice == "nobody":
            raise RequestRefused("No such voice.", code="unknown_voice")

    session = _session(check=check)
    assert _codes(session.receive(Synthesize(text="Hi.", voice="nobody", request_id="a"))) == [("unknown_voice", True)]
    assert session.receive(TextDelta(text="late", request_id="a")) == []
    assert isinstance(session.receive(Synthesize(text="Hi.", request_id="b"))[0], Begin)


def test_a_bad_frame_ends_the_open_request_it_names_and_no_other() -> None:
    session = _session()
    session.receive(TextDelta(text="One", request_id="open"))
    session.receive(Synthesize(text="Two.", request_id="whole"))
    bad = {name: RequestRefused("Bad.", request_id=name) for name in ("open", "whole", "new")}
    assert _codes(session.fault(bad["open"])) == [("bad_message", True)]
    assert _codes(session.fault(bad["whole"])) == [("bad_message", False)]
    assert _codes(session.fault(bad["new"])) == [("bad_message", True)]
    assert _codes(session.fault(RequestRefused("Bad.", code="bad_json", terminal=False))) == [("bad_json", False)]
    assert session.head == "whole"


def test_text_end_of_a_request_that_never_was_is_an_error() -> None:
    assert _codes(_session().receive(TextEnd(request_id="a"))) == [("bad_message", True)]


def test_close_finishes_what_is_open_and_is_answered_when_all_is_spoken() -> None:
    session = _session()
    session.receive(TextDelta(text="One", request_id="a"))
    session.receive(Synthesize(text="Two.", request_id="b"))
    assert session.receive(Close()) == [Finish(request_id="a")]
    assert _codes(session.receive(Synthesize(text="Late.", request_id="c"))) == [("bad_message", True)]
    session.spoken("a", elapsed_s=0.1, first_audio_s=None)
    assert _said(session.spoken("b", elapsed_s=0.1, first_audio_s=None))[-1] == Closed()
    assert session.receive(Cancel(request_id="b")) == []


def test_close_of_an_idle_session_is_answered_at_once() -> None:
    assert _said(_session().receive(Close())) == [Closed()]


def test_a_draining_session_takes_requests_until_it_is_idle() -> None:
    session = _session()
    session.receive(Synthesize(text="One.", request_id="a"))
    assert _said(session.drain(20.0)) == [GoingAway(deadline_s=20.0)]
    assert isinstance(session.receive(Synthesize(text="Two.", request_id="b"))[0], Begin)
    session.spoken("a", elapsed_s=0.1, first_audio_s=None)
    assert _said(session.spoken("b", elapsed_s=0.1, first_audio_s=None))[-1] == Closed()
    assert _said(_session().drain(20.0)) == [GoingAway(deadline_s=20.0), Closed()]


def test_abandoned_requests_are_told_why_and_the_session_ends() -> None:
    session = _session()
    session.receive(TextDelta(text="One", request_id="a"))
    effects = session.abandon(EngineFailed("Gone.", code="going_away", retryable=True))
    assert _codes(effects) == [("going_away", True)]
    assert _said(effects)[-1] == Closed()


def test_playback_of_a_request_nobody_made_is_ignored() -> None:
    session = _session()
    assert session.receive(Playback(request_id="a", played_s=1.0)) == []
    session.receive(Synthesize(text="One.", request_id="a"))
    assert session.receive(Playback(request_id="a", played_s=1.0)) == [Played(request_id="a", played_s=1.0)]


def _events(name: str) -> list[Any]:
    """What may happen to one request; what is common in a race stands more often."""
    return [
        *[Synthesize(text="One.", request_id=name)] * 4,
        *[TextDelta(text="one", request_id=name)] * 3,
        Synthesize(text="x" * 41, request_id=name),
        TextDelta(text="", request_id=name),
        TextDelta(text="x" * 30, request_id=name),
        TextEnd(request_id=name),
        Cancel(request_id=name),
        Playback(request_id=name, played_s=0.5),
        *[("audio", name)] * 4,
        *[("spoken", name)] * 2,
        ("fail", name),
        ("expire", name),
        ("fault", name),
    ]


_EVENTS: list[Any] = [
    *(event for name in "abcd" for event in _events(name)),
    Synthesize(text="One."),
    Cancel(),
    Close(),
    "drain",
    "garbage",
]


class _Race:
    """A speech side that obeys the effects, an observer of what the client is told, and the rules it checks."""

    def __init__(self) -> None:
        self.session = _session()
        self.begun: Counter[str] = Counter()
        self.open: set[str] = set()
        self.running: list[str] = []
        self.terminal: Counter[str] = Counter()
        self.said: list[ServerMessage] = []
        self.asked: set[str] = set()
        self.cancels: Counter[str] = Counter()

    def happen(self, event: Any) -> None:
        session = self.session
        match event:
            case ("audio", str() as name):
                if session.audio(name, 100):
                    assert self.running[0] == name, "audio of a request that is not first"
            case ("spoken", str() as name) if name in self.running[:1] and name not in self.open:
                self.obey(session.spoken(name, elapsed_s=0.1, first_audio_s=None))
            case ("fail", str() as name) if name in self.running:
                self.obey(session.fail(name, EngineFailed("It broke.")))
            case ("expire", str() as name) if name in self.running:
                self.obey(session.expire(name))
            case ("fault", str() as name):
                self.asked.add(name)
                self.obey(session.fault(RequestRefused("Bad.", request_id=name)))
            case "garbage":
                self.obey(session.fault(RequestRefused("Bad.", code="bad_json", terminal=False)))
            case "drain":
                self.obey(session.drain(5.0))
            case tuple():
                pass
            case message:
                self.note(message)
                self.obey(session.receive(message))

    def note(self, message: ClientMessage) -> None:
        if self.session.phase is SessionPhase.CLOSED:
            return
        match message:
            case Cancel(request_id=str() as name):
                self.asked.add(name)
                self.cancels[name] += 1
            case Cancel():
                self.cancels.update(self.running)
            case Synthesize(request_id=str() as name) | TextDelta(request_id=name) | TextEnd(request_id=name):
                self.asked.add(name)
            case _:
                pass

    def obey(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Begin(request_id=name, live=live):
                    self.begun[name] += 1
                    self.running.append(name)
                    self.open.add(name)
                    assert self.begun[name] == 1, "one id spoken twice"
                    assert live == isinstance(effect.options, TextDelta)
                case Feed(request_id=name):
                    assert name in self.open, "text for a request that takes none"
                case Finish(request_id=name):
                    self.open.remove(name)
                case Stop(request_id=name):
                    self.running.remove(name)
                    self.open.discard(name)
                case Played():
                    pass
                case Send(message=message):
                    self.hear(message)

    def hear(self, message: ServerMessage) -> None:
        assert Closed() not in self.said, "something was said after closed"
        self.said.append(message)
        match message:
            case SynthesisCancelled(request_id=name):
                self.cancels[name] -= 1
                assert self.cancels[name] >= 0, "acknowledged without a cancel"
                self.terminal[name] += self.terminal[name] == 0
            case SynthesisComplete(request_id=name):
                self.running.remove(name)
                self.terminal[name] += 1
            case Error(request_id=str() as name, terminal=True):
                self.terminal[name] += 1
            case _:
                return
        assert self.terminal[name] == 1, "two terminal messages"


@settings(max_examples=RACES, deadline=None)
@given(st.lists(st.sampled_from(_EVENTS), max_size=40), st.booleans())
def test_no_order_of_events_breaks_a_rule_or_hangs(events: list[Any], drained: bool) -> None:
    race = _Race()
    for event in events:
        race.happen(event)
    race.happen("drain" if drained else Close())
    for name in list(race.running):
        if name in race.open:
            race.happen(("expire", name))
        race.happen(("spoken", name))
    assert race.running == []
    assert race.said[-1] == Closed()
    assert race.session.phase is SessionPhase.CLOSED
    assert all(race.terminal[name] == 1 for name in race.begun), "a request without an end"


def test_an_emoji_cut_in_two_deltas_is_whole_again() -> None:
    session = _session()
    fed = []
    for frame in (r'{"text": "a \ud83d"', r'{"text": "\ude00 b\ud83d"', r'{"text": "c\ud83d"', r'{"text": ""'):
        message = decode_client(f'{frame}, "type": "text_delta", "request_id": "a"}}')
        fed += [effect.text for effect in session.receive(message) if isinstance(effect, Feed)]
    assert fed == ["a ", "\U0001f600 b", "\ufffdc", ""]
    session.receive(TextEnd(request_id="a"))
