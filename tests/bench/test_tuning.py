"""Which candidate wins: the default, unless another is clearly better."""

import pytest

from firstword.bench.statistics import summarize
from firstword.bench.tuning import Candidate, Tuned, best
from firstword.kokoro.tuning import Choice


def candidate(
    backend: str, first_ms: float, factor: float, *, spinning: bool = False, decode: str = "streamed"
) -> Candidate:
    return Candidate(
        choice=Choice(backend=backend, threads=2, spinning=spinning),
        decode=decode,
        first_audio_ms=summarize([first_ms]),
        real_time_factor=summarize([factor]),
    )


_DEFAULT = candidate("onnxruntime", 300, 0.4)


@pytest.mark.parametrize(
    ("others", "wins"),
    [
        ([], "onnxruntime"),
        ([candidate("openvino", 200, 0.3)], "openvino"),
        ([candidate("openvino", 295, 0.4)], "onnxruntime"),
        ([candidate("openvino", 200, 0.9)], "onnxruntime"),
        ([candidate("openvino", 250, 0.35), candidate("other", 200, 0.3)], "other"),
        ([candidate("other", 200, 0.3), candidate("openvino", 250, 0.35)], "other"),
        ([candidate("openvino", 100, 0.1, decode="full")], "onnxruntime"),
    ],
)
def test_the_default_goes_only_for_one_that_is_clearly_better(others: list[Candidate], wins: str) -> None:
    assert best([_DEFAULT, *others]).backend == wins


@pytest.mark.parametrize(("factor", "spins"), [(0.37, False), (0.35, True)])
def test_spinning_has_to_gain_more_for_it_takes_cores_from_others(factor: float, spins: bool) -> None:
    assert best([_DEFAULT, candidate("onnxruntime", 300, factor, spinning=True)]).spinning is spins


@pytest.mark.parametrize(("other_work", "disturbed"), [(None, False), (0.05, False), (0.3, True)])
def test_a_measurement_beside_much_other_work_is_disturbed(other_work: float | None, disturbed: bool) -> None:
    tuned = Tuned(chosen=_DEFAULT.choice, kept=True, candidates=(_DEFAULT,), absent=(), other_work=other_work)
    assert tuned.disturbed is disturbed
