"""Weights and voices: where they come from, where they are kept, and proof that they are whole.

`store` keeps them; `manifest` says what they are; one module per source fetches them. Knows nothing of inference.
"""

from firstword.kokoro.assets.manifest import Manifest, Progress
from firstword.kokoro.assets.store import AssetStore, FileState, open_store

__all__ = ["AssetStore", "FileState", "Manifest", "Progress", "open_store"]
