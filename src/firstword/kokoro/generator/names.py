"""Names of the inputs and outputs of our generator graphs, shared by who writes and who runs them."""

from typing import Final

__all__ = ["CROP", "EARLY", "HARMONICS", "HIDDEN", "LATE", "MEANS", "SAMPLES", "SCALE", "SHIFT", "VARIANCES"]

HIDDEN: Final = "hidden"
HARMONICS: Final = "harmonics"
EARLY: Final = "harmonics.early"
LATE: Final = "harmonics.late"
SCALE: Final = "scale"
SHIFT: Final = "shift"
CROP: Final = "crop"
SAMPLES: Final = "samples"
MEANS: Final = "means"
VARIANCES: Final = "variances"
