"""Who may come in: never more than there are places, and no place is ever lost."""

import asyncio

import pytest

from firstword.errors import RequestRefused
from firstword.server.admission import Admission


def test_a_full_house_refuses_and_a_place_given_back_is_free_again() -> None:
    admission = Admission(2)
    with admission.slot():
        with admission.slot(), pytest.raises(RequestRefused) as caught, admission.slot():
            pass
        assert (caught.value.code, caught.value.retryable) == ("overloaded", True)
        with admission.slot():
            assert admission.taken == 2


def test_a_place_is_given_back_however_the_block_ends() -> None:
    admission = Admission(1)
    for error in (ValueError, KeyError, asyncio.CancelledError):
        with pytest.raises(error), admission.slot():
            raise error
    assert admission.taken == 0


@pytest.mark.anyio
async def test_the_last_to_leave_is_noticed() -> None:
    admission = Admission(1)
    with admission.slot():
        empty = asyncio.ensure_future(admission.until_empty())
        await asyncio.sleep(0)
        assert not empty.done()
    await asyncio.wait_for(empty, 5)
