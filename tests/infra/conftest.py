"""Every combination of options is synthesized once for the whole room; the tests read the templates."""

import os

import pytest

from fakes.deployments import PLACE, VOICES, Assembly, agents
from firstword.infra.agent.app import synthesize_agent
from firstword.infra.speech.app import synthesize_speech


@pytest.fixture(scope="session")
def assemblies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assembly]:
    """Every option set, synthesized without credentials in the environment."""
    root = tmp_path_factory.mktemp("assemblies")
    code = root / "code"
    code.mkdir()
    (code / "main.py").write_text("")
    saved = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("AWS_")}
    try:
        made = {name: synthesize_speech(place, wanted, root / name) for name, (place, wanted) in VOICES.items()}
        made |= {name: synthesize_agent(PLACE, wanted, root / name) for name, wanted in agents(code).items()}
    finally:
        os.environ.update(saved)
    return {name: Assembly(directory=path) for name, path in made.items()}
