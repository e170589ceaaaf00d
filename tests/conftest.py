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


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What builds and boots images is mostly downloads: scripts/test runs it beside what needs a machine, in a process
    of its own. Everything else of that pass stays one after the other in another.
    """
    for item in items:
        images = "containers" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("images" if images else "machine"))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests marked anyio run on asyncio, the loop the product runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def real_assets() -> Path:
    """The directory of the real weights and voices, whole; fetched if this machine does not have them yet."""
    from firstword.kokoro.assets import open_store

    return open_store(AssetSettings.load()).ensure()
