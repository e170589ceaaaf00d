"""What every room's tests share: the loop of asynchronous tests, and the real weights, fetched once."""

from pathlib import Path

import pytest

from firstword.config import AssetSettings


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests marked anyio run on asyncio, the loop the product runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def real_assets() -> Path:
    """The directory of the real weights and voices, whole; fetched if this machine does not have them yet."""
    from firstword.kokoro.assets import open_store

    return open_store(AssetSettings.load()).ensure()
