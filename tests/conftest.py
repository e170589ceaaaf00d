"""Asynchronous tests (`@pytest.mark.anyio`) run on asyncio, the loop the product runs on."""

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"
