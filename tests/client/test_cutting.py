"""What of a live text is sent when, by a clock that the test moves."""

from hypothesis import given
from hypothesis import strategies as st

from firstword.client.cutting import LiveCut, Patience
from firstword.text.chunker import IncrementalSentenceChunker
from firstword.text.pace import Pace

PATIENCE = Patience(idle_s=0.06, stall_s=0.7, stall_lead_s=0.5)
STALLING = "Well, it depends on what you need, but"


class Listener:
    """Feeds a cut and plays what it gives, 0.065 s a character, from the first on."""

    def __init__(self, *, listens: bool = True, patience: Patience = PATIENCE) -> None:
        self.pace = Pace()
        self.pace.learn(characters=1000, audio_s=65.0, first_s=6.5, whole_s=6.5)
        self.cut = LiveCut(IncrementalSentenceChunker("en"), patience, self.pace if listens else None)
        self.now_s = 100.0
        self.dry_at_s = 0.0
        self.sent: list[tuple[float, str]] = []

    @property
    def lead_s(self) -> float:
        return max(0.0, self.dry_at_s - self.now_s)

    @property
    def texts(self) -> list[str]:
        return [text for _, text in self.sent]

    def feed(self, text: str) -> None:
        self.cut.feed(text, self.now_s)
        self._take()

    def finish(self) -> None:
        self.cut.finish("")
        self._take()

    def passes(self, seconds: float) -> None:
        """Time goes by without text."""
        end_s = self.now_s + seconds
        while (due_s := self.now_s + self.cut.wait_s(self.now_s, self.lead_s)) <= end_s:
            self.now_s = due_s + 1e-6
            self.cut.wake(self.now_s, self.lead_s)
            self._take()
        self.now_s = end_s

    def _take(self) -> None:
        while (taken := self.cut.take(self.lead_s)) is not None:
            self.sent.append((round(self.now_s - 100.0, 3), taken.text))
            self.dry_at_s = max(self.now_s, self.dry_at_s) + self.pace.seconds(len(taken.text))


def test_a_listener_with_little_to_hear_is_sent_each_sentence_as_it_is_cut() -> None:
    listener = Listener()
    listener.feed("One is here. Two is longer than one. And so")
    assert listener.sent == [(0.0, "One is here."), (0.0, "Two is longer than one.")]


def test_sentences_behind_four_seconds_of_speech_wait_for_one_another() -> None:
    listener = Listener()
    listener.feed(
        "This first sentence alone is worth more than four seconds of speech, if not five or six. Two is here. T"
    )
    assert len(listener.sent) == 1
    listener.feed("hree is here. F")
    assert len(listener.sent) == 1
    listener.feed("our is here. And")
    assert listener.texts[1:] == ["Two is here. Three is here. Four is here."]


def test_a_sentence_that_waits_alone_goes_when_the_listener_has_four_seconds_left() -> None:
    listener = Listener()
    listener.feed(
        "This first sentence alone is worth more than four seconds of speech, if not five or six. Two is here. T"
    )
    plays_s = listener.lead_s
    listener.passes(10.0)
    assert listener.sent[1:] == [(round(plays_s - 4.0, 3), "Two is here.")]


def test_the_end_of_the_text_lets_everything_go() -> None:
    listener = Listener()
    listener.feed(
        "This first sentence alone is worth more than four seconds of speech, if not five or six. Two is here. T"
    )
    listener.finish()
    assert listener.texts[1:] == ["Two is here. T"]


def test_a_pause_releases_a_complete_sentence_and_nothing_else() -> None:
    listener = Listener()
    listener.feed("Something is done.")
    listener.passes(0.05)
    assert listener.sent == []
    listener.passes(0.05)
    assert listener.sent == [(0.06, "Something is done.")]


def test_a_stall_before_anything_is_heard_releases_a_clause() -> None:
    listener = Listener()
    listener.feed(STALLING)
    listener.passes(0.69)
    assert listener.sent == []
    listener.passes(0.02)
    assert listener.sent == [(0.7, "Well, it depends on what you need,")]
    listener.passes(20.0)
    listener.finish()
    assert listener.texts[1:] == ["but"]


def test_a_stall_matters_only_once_the_listener_is_about_to_run_dry() -> None:
    listener = Listener()
    listener.feed("One more sentence is here now. " + STALLING)
    plays_s = listener.lead_s
    assert plays_s > 1.2
    listener.passes(20.0)
    assert listener.sent[1:] == [(round(plays_s - 0.5, 3), "Well, it depends on what you need,")]


def test_a_stall_can_be_switched_off_and_does_not_matter_where_nobody_listens() -> None:
    for listener in (Listener(patience=Patience(idle_s=0.06)), Listener(listens=False)):
        listener.feed(STALLING)
        listener.passes(60.0)
        assert listener.sent == []


def test_where_nobody_listens_nothing_waits_and_nothing_is_joined() -> None:
    listener = Listener(listens=False)
    listener.feed("This sentence is one of a good many. " * 20)
    listener.finish()
    assert len(listener.sent) == 20


@given(
    text=st.lists(
        st.sampled_from(["One.", "Two, as it seems, too!", " ", "\n", "so it goes on, ", "- item\n", "好的。"])
    ).map("".join),
    pauses=st.lists(st.sampled_from([0.0, 0.1, 0.8, 5.0]), min_size=1, max_size=7),
    size=st.integers(1, 12),
)
def test_whatever_the_pauses_all_of_the_text_is_sent_in_order(text: str, pauses: list[float], size: int) -> None:
    listener = Listener()
    for number, at in enumerate(range(0, len(text), size)):
        listener.feed(text[at : at + size])
        listener.passes(pauses[number % len(pauses)])
    listener.finish()
    sent = "".join("".join(listener.texts).split())
    whole = "".join(text.split())
    assert whole.startswith(sent)
    assert not any(map(str.isalnum, whole[len(sent) :]))
