"""Where a listener is: how much it has been sent, how much of that it has heard, when it runs dry. Pure arithmetic.

Without a report from the listener, playback is taken to start with the first audio sent and never to pause while there
is some; a report (`heard`) corrects that. Times are seconds of any one monotonic clock.
"""

__all__ = ["Playhead"]


class Playhead:
    """Of one listener; audio of several utterances plays one after the other."""

    def __init__(self) -> None:
        self._dry_at_s = 0.0
        self._sent_s = 0.0

    @property
    def sent_s(self) -> float:
        """Audio sent in all: where the next utterance begins."""
        return self._sent_s

    @property
    def dry_at_s(self) -> float:
        """When everything sent so far will have been heard."""
        return self._dry_at_s

    def lead_s(self, now_s: float) -> float:
        """Audio sent and not yet heard."""
        return max(0.0, self._dry_at_s - now_s)

    def provided_s(self, awaited_s: float, now_s: float) -> float:
        """How long the listener is provided for if `awaited_s` more is on its way: not at all once it has run dry,
        for then it waits already, whatever was asked for."""
        lead_s = self.lead_s(now_s)
        return lead_s + awaited_s if lead_s > 0.0 else 0.0

    def sent(self, seconds: float, now_s: float) -> None:
        self._dry_at_s = max(now_s, self._dry_at_s) + seconds
        self._sent_s += seconds

    def heard(self, position_s: float, now_s: float) -> None:
        """The listener is `position_s` into everything that was sent to it."""
        self._dry_at_s = now_s + max(0.0, self._sent_s - position_s)

    def dropped(self, seconds: float, now_s: float) -> None:
        """The last `seconds` that were sent are not going to be heard."""
        self._dry_at_s = max(now_s, self._dry_at_s - seconds)
