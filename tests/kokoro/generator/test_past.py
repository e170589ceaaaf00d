"""What a piece hears of those before it: as much as its layers reach, and no step is lost between pieces."""

from firstword.kokoro.generator.layout import DILATIONS, STAGES
from firstword.kokoro.generator.past import LAG_SAMPLES, PAST, block_reach, nothing, turn_reach


def test_a_turn_hears_as_far_as_its_two_convolutions_do() -> None:
    for stage in STAGES:
        for block in (stage.noise, *stage.blocks):
            for turn, dilation in enumerate(DILATIONS):
                halves = [spread * (block.kernel - 1) // 2 for spread in (dilation, 1)]
                assert turn_reach(block, turn) == sum(halves)
            assert block_reach(block) == sum(turn_reach(block, turn) for turn in range(len(DILATIONS)))


def test_the_first_piece_is_given_nothing_of_every_kind() -> None:
    assert {name: (value.shape[1], value.shape[3]) for name, value in nothing().items()} == dict(PAST)
    assert not any(value.any() for value in nothing().values())


def test_what_comes_out_lags_by_less_than_eight_steps() -> None:
    assert 7 * 300 < LAG_SAMPLES < 8 * 300
