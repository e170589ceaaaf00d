"""Text in one language to phonemes of the model's vocabulary, each word with its place in the text.

`language` is the seam a further language joins at; `english`, `espeak`, `japanese` and `chinese` implement it; `clean`
makes any string of code points safe for it without moving one. Knows nothing of voices or inference.
"""

from firstword.kokoro.phonemes.language import LANGUAGES, missing_extra, require_extra
from firstword.kokoro.phonemes.pronounce import Pronouncer

__all__ = ["LANGUAGES", "Pronouncer", "missing_extra", "require_extra"]
