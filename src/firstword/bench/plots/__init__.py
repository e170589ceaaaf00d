"""Pictures of measurements. `save` writes a figure beside its numbers, as PNG or SVG by suffix."""

from pathlib import Path

from matplotlib.figure import Figure

from firstword.errors import FirstwordError

__all__ = ["save"]


def save(figure: Figure, path: Path) -> None:
    """Write the figure. Raises FirstwordError where the file cannot be written."""
    try:
        figure.savefig(path, dpi=150, facecolor=figure.get_facecolor())
    except OSError as error:
        raise FirstwordError(f"{path} could not be written: {error.strerror}.", code="output") from error
