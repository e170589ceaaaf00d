"""How faults are asked for."""

import pytest

from firstword.emulator.faults import FAULTS, Fault, parse_plan
from firstword.emulator.operations import OPERATIONS
from firstword.errors import UsageError


def test_a_fault_is_named_with_how_much_passes_how_often_and_where() -> None:
    assert Fault.parse("stall:3*2@bidirectional") == Fault(name="stall", after=3, left=2, operation="bidirectional")
    assert Fault.parse("throttle") == Fault(name="throttle")


@pytest.mark.parametrize("spec", ["", "nonsense", "stall:", "stall*", "stall:x", "stall@nowhere", "stall 3", "Stall"])
def test_what_is_not_a_fault_is_refused_with_what_there_is(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        Fault.parse(spec)
    assert caught.value.hint


def test_a_fault_happens_as_often_as_it_was_asked_for_and_only_where() -> None:
    plan = parse_plan(["throttle*2@invoke"])
    invoke, bidirectional = OPERATIONS["invoke"], OPERATIONS["bidirectional"]
    assert plan.take(bidirectional) is None
    assert [plan.take(invoke) is not None for _ in range(3)] == [True, True, False]


def test_in_stream_errors_happen_only_to_streams_and_refused_tls_only_to_handshakes() -> None:
    plan = parse_plan(["stream-throttle", "refuse-tls"])
    assert plan.take(OPERATIONS["invoke"]) is None
    assert plan.take(OPERATIONS["bidirectional"]) is None
    assert plan.take(OPERATIONS["converse-stream"]) is not None
    refused = plan.take(None)
    assert refused is not None
    assert refused.name == "refuse-tls"


def test_every_fault_can_be_asked_for() -> None:
    assert [Fault.parse(name).name for name in FAULTS] == list(FAULTS)
