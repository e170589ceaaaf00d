"""What every room's tests share: the loop of asynchronous tests, and the real weights, fetched once.

Where CI runs, hypothesis draws the same examples each time: a landing is judged by what it changes. Everywhere else it
draws new ones, and what it finds becomes a test of its own.
"""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from firstword.config import AssetSettings

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what builds and boots images, which is mostly downloads: scripts/test runs it beside the rest."""
    for item in items:
        if "containers" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.images)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests marked anyio run on asyncio, the loop the product runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def real_assets() -> Path:
    """The directory of the real weights and voices, whole; fetched if this machine does not have them yet."""
    from firstword.kokoro.assets import open_store

    return open_store(AssetSettings.load()).ensure()
