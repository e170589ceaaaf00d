"""The silence of a stall that was told is no fault; whatever else differs from what was sent is one."""

import numpy as np
import pytest

from browser.gaps import BLOCK, without_gaps

SENT = np.concatenate([np.zeros(50), np.arange(1, 1000), np.zeros(200), np.arange(1, 500)])
RAN_DRY = 300


def _rendered(*parts: np.ndarray) -> np.ndarray:
    """Each part from the beginning of a block on, a block of silence before it, and two after the last."""
    blocks: list[np.ndarray] = [np.zeros(0)]
    for part in parts:
        blocks += [np.zeros(BLOCK), part, np.zeros(-len(part) % BLOCK)]
    return np.concatenate([*blocks, np.zeros(2 * BLOCK)])


def _right(rendered: np.ndarray, stalls: list[int]) -> bool:
    heard = without_gaps(rendered, SENT, stalls)
    return np.array_equal(heard[: len(SENT)], SENT) and not np.any(heard[len(SENT) :])


def test_what_was_rendered_without_a_stall_is_as_sent() -> None:
    assert _right(_rendered(SENT), [])


@pytest.mark.parametrize(
    "stalls",
    [[RAN_DRY], [20], [20, 300, 301, 1100], [1060, 1150, 1200], [BLOCK, 3 * BLOCK], [len(SENT) - 1], [len(SENT)]],
    ids=["in sound", "before sound", "four", "in silence", "between blocks", "before the last sample", "after it"],
)
def test_the_silence_of_stalls_that_were_told_is_left_out(stalls: list[int]) -> None:
    assert _right(_rendered(*np.split(SENT, stalls)), stalls)


def test_a_gap_that_was_not_told_is_found() -> None:
    assert not _right(_rendered(SENT[:RAN_DRY], SENT[RAN_DRY:]), [])
    assert not _right(_rendered(SENT[:RAN_DRY], SENT[RAN_DRY:600], SENT[600:]), [RAN_DRY])


@pytest.mark.parametrize("told", [RAN_DRY - 1, RAN_DRY + 1, 700, len(SENT) + 1])
def test_a_stall_told_at_another_place_than_its_gap_is_found(told: int) -> None:
    with pytest.raises(AssertionError):
        assert _right(_rendered(SENT[:RAN_DRY], SENT[RAN_DRY:]), [told])


@pytest.mark.parametrize("stalls", [[RAN_DRY], [RAN_DRY, RAN_DRY], [RAN_DRY, 600]])
def test_a_stall_without_a_gap_of_its_own_is_found(stalls: list[int]) -> None:
    gaps = [SENT] if len(stalls) == 1 else [SENT[:RAN_DRY], SENT[RAN_DRY:]]
    with pytest.raises(AssertionError):
        _right(_rendered(*gaps), stalls)


def test_sound_that_goes_on_within_a_block_is_found() -> None:
    rendered = _rendered(SENT[:RAN_DRY], SENT[RAN_DRY:])
    with pytest.raises(AssertionError, match="within a block"):
        _right(np.insert(rendered, 4 * BLOCK, 0.0), [RAN_DRY])
    with pytest.raises(AssertionError, match="within a block"):
        _right(rendered[1:], [RAN_DRY])


@pytest.mark.parametrize("at", [60, RAN_DRY - 1, RAN_DRY, 700, len(SENT) - 1])
@pytest.mark.parametrize("fault", ["lost", "doubled", "changed", "silent"])
def test_a_wrong_sample_is_found_wherever_a_stall_was(fault: str, at: int) -> None:
    wrong = {
        "lost": np.delete(SENT, at),
        "doubled": np.insert(SENT, at, SENT[at]),
        "changed": np.where(np.arange(len(SENT)) == at, SENT + 0.5, SENT),
        "silent": np.where(np.arange(len(SENT)) == at, 0, SENT),
    }[fault]
    assert not _right(_rendered(wrong), [])
    # The player ran dry where the samples it was fed ended, and said how many it had played.
    with pytest.raises(AssertionError):
        assert _right(_rendered(wrong[:RAN_DRY], wrong[RAN_DRY:]), [RAN_DRY])


def test_sound_after_the_last_sample_is_found() -> None:
    assert not _right(_rendered(SENT, SENT[-1:]), [])
    assert not _right(_rendered(SENT[:RAN_DRY], SENT[RAN_DRY:], SENT[-1:]), [RAN_DRY])


def test_what_has_not_come_yet_is_not_made_up() -> None:
    rendered = _rendered(SENT[:RAN_DRY], SENT[RAN_DRY:])
    for end in range(0, len(rendered), BLOCK):
        heard = without_gaps(rendered[:end], SENT, [RAN_DRY])
        assert np.array_equal(heard[: len(SENT)], SENT[: len(heard)])
