"""The generator by every library and in every form: on the real weights, one sentence."""

import pytest

from firstword.bench import generators

pytestmark = [pytest.mark.model, pytest.mark.slow]


def test_forms_differ_by_their_arithmetic_alone() -> None:
    told: list[str] = []
    measured = generators.run(1, 1, told.append)
    ways = {way.name: way for way in measured.ways}
    snr_db = {name: way.figures["snr_db_median"] for name, way in ways.items() if way.figures is not None}
    assert [name for name, way in ways.items() if way.like is None] == [generators.WHOLE, generators.WINDOWS]
    assert ways[generators.OWN_INT8].like == generators.WHOLE
    assert 10 < snr_db[generators.OWN_INT8] < 30
    assert snr_db["onnxruntime: float32, one lane"] > 100
    assert snr_db["onnxruntime: float32, nothing rewritten"] > 90
    first, both = (
        snr_db[f"onnxruntime: static int8, blocks of {stages}"] for stages in ("the first stage", "both stages")
    )
    assert 15 < both < first < 40
    assert snr_db[generators.INT8_WINDOWS] == pytest.approx(first, abs=1)
    assert all(way.first_part_ms.n == 1 for way in measured.ways)
    assert all(name.startswith("openvino") for name in measured.absent)
    assert told
