"""The voices' style vectors: read, checked, blended.

A voice is one vector of 256 for every length of text, in tokens; a blend is the weighted sum of its voices.
"""

from collections import OrderedDict
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firstword.errors import AssetCorrupt
from firstword.kokoro.assets.manifest import voice_file
from firstword.kokoro.voices import Blend

__all__ = ["Styles"]

_WIDTH: Final = 256
_KEPT: Final = 64


class Styles:
    """`directory` holds the assets. The blends used last are kept (half a megabyte each)."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._kept: OrderedDict[Blend, NDArray[np.float32]] = OrderedDict()

    def row(self, blend: Blend, tokens: int) -> NDArray[np.float32]:
        """The style, [1, 256], for a text of `tokens` tokens (without the zero at both ends)."""
        table = self._table(blend)
        index = min(max(tokens - 1, 0), len(table) - 1)
        return table[index : index + 1]

    def _table(self, blend: Blend) -> NDArray[np.float32]:
        found = self._kept.get(blend)
        if found is None:
            parts = [np.float32(weight) * self._read(name) for name, weight in blend]
            found = np.sum(parts, axis=0, dtype=np.float32)
            self._kept[blend] = found
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return found

    def _read(self, name: str) -> NDArray[np.float32]:
        path = self._directory / voice_file(name)
        try:
            values = np.fromfile(path, dtype="<f4")
        except OSError as error:
            raise AssetCorrupt(f"{voice_file(name)} cannot be read.", hint="Run firstword models pull.") from error
        if values.size == 0 or values.size % _WIDTH or not np.isfinite(values).all():
            raise AssetCorrupt(f"{voice_file(name)} holds no voice.", hint="Run firstword models pull.")
        return values.reshape(-1, _WIDTH)
