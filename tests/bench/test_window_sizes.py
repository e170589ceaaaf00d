"""Windows of other sizes: on the real weights, two sentences, some of the sizes."""

import pytest

from firstword.bench import window_sizes
from firstword.kokoro.generator.windows import SIZES

pytestmark = [pytest.mark.model, pytest.mark.slow]


def test_every_size_is_measured_on_every_sentence_and_longer_windows_take_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(window_sizes, "TRIED", (SIZES, (20, 40), (20, 40, 80)))
    measured = {one.steps: one for one in window_sizes.run(2, 2, 0, told.append)}
    assert tuple(measured) == window_sizes.TRIED
    for one in measured.values():
        assert one.first_window_ms.n == one.slack_ms.n == one.real_time_factor.n == 4
    assert measured[20, 40, 80].longest_window_ms.median > measured[20, 40].longest_window_ms.median
    assert told
