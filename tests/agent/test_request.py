"""A payload is understood, or refused with a code that names the fault."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstword.agent.request import Ask, Cancel, check_session_id, parse
from firstword.errors import RequestRefused


def _parse(payload: Any) -> Ask | Cancel:
    return parse(payload, max_prompt_chars=20_000)


def test_a_prompt_alone_asks_for_bidi_with_an_id_of_its_own() -> None:
    first, second = _parse({"prompt": "Hi"}), _parse({"prompt": "Hi"})

    assert isinstance(first, Ask)
    assert (first.prompt, first.mode, first.voice, first.speed) == ("Hi", "bidi", None, None)
    assert first.request_id != second.request_id


def test_everything_that_can_be_said_is_kept() -> None:
    payload = {"prompt": "Hi", "mode": "whole", "voice": "bf_emma", "speed": 1, "request_id": "r1", "unknown": 1}
    words = {"nginx": "engine x"}
    worded = _parse({**payload, "pronunciations": words})
    assert isinstance(worded, Ask)
    assert worded.pronunciations == words

    assert _parse(payload) == Ask(prompt="Hi", mode="whole", voice="bf_emma", speed=1.0, request_id="r1")


def test_a_cancel_may_name_the_request_and_what_was_heard() -> None:
    assert _parse({"action": "cancel"}) == Cancel()
    assert _parse({"action": "cancel", "request_id": "r1", "played_s": 2}) == Cancel(request_id="r1", played_s=2.0)


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({}, "prompt_required"),
        ({"prompt": ""}, "prompt_required"),
        ({"prompt": " \n"}, "prompt_required"),
        ({"prompt": None}, "prompt_required"),
        ({"prompt": 7}, "bad_message"),
        ({"prompt": ["Hi"]}, "bad_message"),
        ({"prompt": "x" * 200_000}, "prompt_too_long"),
        ({"prompt": "Hi", "mode": "x"}, "bad_mode"),
        ({"prompt": "Hi", "mode": None}, "bad_mode"),
        ({"prompt": "Hi", "mode": ["bidi"]}, "bad_mode"),
        ({"prompt": "Hi", "voice": 3}, "bad_message"),
        ({"prompt": "Hi", "voice": ""}, "bad_message"),
        ({"prompt": "Hi", "pronunciations": ["nginx"]}, "bad_message"),
        ({"prompt": "Hi", "pronunciations": {"nginx": 1}}, "bad_message"),
        ({"prompt": "Hi", "speed": "fast"}, "bad_speed"),
        ({"prompt": "Hi", "speed": 0}, "bad_speed"),
        ({"prompt": "Hi", "speed": True}, "bad_speed"),
        ({"prompt": "Hi", "speed": float("nan")}, "bad_speed"),
        ({"prompt": "Hi", "request_id": "x" * 300}, "bad_message"),
        ({"action": "cancel", "played_s": -1}, "bad_message"),
        ({"action": "cancel", "played_s": float("nan")}, "bad_message"),
        ({"action": "cancel", "played_s": "all"}, "bad_message"),
        ({"action": "dance"}, "bad_message"),
        ([], "bad_message"),
        (None, "bad_message"),
        ("Hi", "bad_message"),
    ],
)
def test_every_fault_has_its_code(payload: Any, code: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        _parse(payload)

    assert caught.value.code == code
    assert len(caught.value.one_line()) < 200


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["prompt", "mode", "voice", "speed", "action", "request_id", "played_s"]), inner
            )
        ),
    )
)
def test_no_payload_breaks_it(payload: Any) -> None:
    try:
        _parse(payload)
    except RequestRefused as refused:
        assert refused.code


def test_a_refusal_names_the_request_it_refuses() -> None:
    with pytest.raises(RequestRefused) as caught:
        _parse({"prompt": "Hi", "mode": "x", "request_id": "r9"})

    assert caught.value.request_id == "r9"


def test_a_session_id_is_absent_or_as_long_as_the_runtime_makes_it() -> None:
    for fine in (None, "s" * 33, "s" * 256):
        check_session_id(fine)
    for wrong in ("", "s" * 32, "s" * 257):
        with pytest.raises(RequestRefused, match="33 to 256") as caught:
            check_session_id(wrong)
        assert caught.value.code == "bad_session_id"
