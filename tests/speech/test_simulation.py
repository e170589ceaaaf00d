"""Many listeners over simulated minutes: the real scheduler with a voice that only pretends to work.

What is promised: who is let in hears something in time and all of it, whatever the others do; who would be too much is
refused; while the voice is fast enough nobody runs dry; audio is the same as if one had been alone.
"""

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.virtual_time import VirtualTime, WorkingVoice
from firstword.bench.playback import listen
from firstword.errors import RequestRefused
from firstword.kokoro.synthesizer import VoiceOptions
from firstword.speech.items import Audio, Done
from firstword.speech.order import PATIENCE_S
from firstword.speech.room import Room
from firstword.speech.scheduler import Scheduler
from firstword.speech.service import SpeechService

SENTENCE = "The ferry leaves at noon, and it waits for nobody at all. "
LONGEST_STEP_S = 0.3
FIRST_S = 0.45
"""More than any step, and than all the work before the first audio of SENTENCE, at the slowest rate used here."""


@dataclass
class Visit:
    """One listener: when it comes, how much it wants said, and after how many seconds it leaves (None: at the end)."""

    at_s: float
    sentences: int
    leaves_s: float | None = None
    refused: bool = False
    ended: bool = False
    ahead: int = 0
    arrivals: list[tuple[float, int]] = field(default_factory=list)
    pcm: bytes = b""

    @property
    def first_s(self) -> float:
        """When it heard something; 0 if it left before."""
        return self.arrivals[0][0] / 1000 if self.arrivals or self.leaves_s is None else 0.0

    @property
    def underrun_ms(self) -> float:
        return listen(self.arrivals, 24_000).underrun_ms


VISITS = st.lists(
    st.builds(
        Visit,
        at_s=st.integers(0, 60).map(lambda tenths: tenths / 10),
        sentences=st.integers(1, 5),
        leaves_s=st.none() | st.integers(1, 40).map(lambda tenths: tenths / 10),
    ),
    min_size=1,
    max_size=10,
)


def _simulate(visits: list[Visit], *, rate: float, room: Room) -> float:
    """Let them come; how many seconds the voice has worked."""
    time = VirtualTime()

    async def all_of_them() -> None:
        voice = WorkingVoice(time, rate=rate)
        scheduler = Scheduler(clock=time.clock, leave_loop=time.leave_loop)
        service = SpeechService(voice, room=room, clock=time.clock, scheduler=scheduler)
        async with service.running():
            with service.listen(max_lead_s=None) as taught:
                utterance = service.say(taught, VoiceOptions(), live=False)
                utterance.feed(SENTENCE)
                utterance.finish()
                _ = [item async for item in taught.items(utterance)]
            await asyncio.sleep(60.0)
            time.worked_s = 0.0
            await asyncio.gather(*(_visit(service, visit, visits) for visit in visits))

    time.run(all_of_them())
    return time.worked_s


async def _visit(service: SpeechService, visit: Visit, visits: list[Visit]) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(visit.at_s)
    try:
        service.make_room()
    except RequestRefused:
        visit.refused = True
        return
    visit.ahead = sum(other.at_s <= visit.at_s and not other.arrivals and other is not visit for other in visits)
    began_s = loop.time()
    with service.listen(max_lead_s=3.0) as listener:
        utterance = service.say(listener, VoiceOptions(), live=False)
        utterance.feed(SENTENCE * visit.sentences)
        utterance.finish()
        async for item in listener.items(utterance):
            if isinstance(item, Audio):
                visit.arrivals.append(((loop.time() - began_s) * 1000, len(item.pcm)))
                visit.pcm += item.pcm
                await asyncio.sleep(listener.hold_s())
            visit.ended = isinstance(item, Done)
            if visit.leaves_s is not None and loop.time() - began_s > visit.leaves_s:
                return


@settings(max_examples=15, deadline=None)
@given(VISITS, st.sampled_from([0.1, 0.3, 0.6]))
def test_everyone_who_is_let_in_hears_something_in_time_and_everything_in_the_end(
    visits: list[Visit], rate: float
) -> None:
    _simulate(visits, rate=rate, room=Room())
    alone: dict[int, bytes] = {}
    for visit in visits:
        if visit.refused:
            continue
        assert visit.first_s <= PATIENCE_S + LONGEST_STEP_S + FIRST_S * (visit.ahead + 1)
        if visit.leaves_s is None:
            assert visit.ended
            if visit.sentences not in alone:
                single = Visit(at_s=0.0, sentences=visit.sentences)
                _simulate([single], rate=rate, room=Room())
                alone[visit.sentences] = single.pcm
            assert visit.pcm == alone[visit.sentences]


@settings(max_examples=15, deadline=None)
@given(VISITS, st.sampled_from([0.05, 0.15, 0.25, 0.36, 0.5]))
def test_nobody_runs_dry_for_long_while_the_load_is_kept_below_what_the_voice_can_do(
    visits: list[Visit], rate: float
) -> None:
    _simulate(visits, rate=rate, room=Room())
    let_in = [visit for visit in visits if visit.arrivals]
    assert let_in
    # A burst of newcomers may cost those before them a step each, once; a voice that is too slow would cost seconds.
    assert all(visit.underrun_ms <= 1000 * LONGEST_STEP_S for visit in let_in)


def test_a_crowd_is_refused_in_time_and_those_inside_do_not_notice() -> None:
    visits = [Visit(at_s=0.7 * number, sentences=6) for number in range(40)]
    _simulate(visits, rate=0.25, room=Room())
    refused = [visit for visit in visits if visit.refused]
    assert 20 < len(refused) < 40
    assert max(visit.underrun_ms for visit in visits if not visit.refused) == 0.0
    assert max(visit.first_s for visit in visits if not visit.refused) < 1.0


@pytest.mark.parametrize(("rate", "let_in"), [(0.15, 5), (0.2, 4), (0.36, 2), (0.5, 1)])
def test_of_five_at_once_those_are_let_in_that_the_voice_can_go_on_speaking_to(rate: float, let_in: int) -> None:
    visits = [Visit(at_s=0.0, sentences=4) for _ in range(5)]
    _simulate(visits, rate=rate, room=Room())
    assert [visit.refused for visit in visits] == [False] * let_in + [True] * (5 - let_in)
    firsts = [visit.first_s for visit in visits[:let_in]]
    assert firsts == sorted(firsts)
    assert firsts[-1] <= 1.5
    # Whoever came first may wait once while the others get their first audio; nobody waits again.
    assert max(visit.underrun_ms for visit in visits[:let_in]) <= 1000 * LONGEST_STEP_S


def test_four_may_be_let_in_though_the_voice_is_too_slow_for_them_and_they_hear_the_first_word_by_turns() -> None:
    visits = [Visit(at_s=0.0, sentences=4) for _ in range(5)]
    _simulate(visits, rate=0.4, room=Room(min_listeners=4))
    assert [visit.refused for visit in visits] == [False] * 4 + [True]
    firsts = [visit.first_s for visit in visits[:4]]
    assert firsts == sorted(firsts)
    assert firsts[-1] <= 1.5


@pytest.mark.parametrize("leaves_s", [0.05, 0.3, 1.0])
def test_what_a_listener_that_leaves_had_asked_for_is_not_made(leaves_s: float) -> None:
    gone = Visit(at_s=0.0, sentences=5, leaves_s=leaves_s)
    worked_s = _simulate([gone], rate=0.3, room=Room())
    whole_s = _simulate([Visit(at_s=0.0, sentences=5)], rate=0.3, room=Room())
    assert worked_s < whole_s / 2
