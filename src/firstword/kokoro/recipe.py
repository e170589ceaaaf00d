"""The number of the way in which graphs are made of a model."""

from typing import Final

__all__ = ["RECIPE"]

RECIPE: Final = 9
"""Raise it whenever other graphs are made of the same model: those that were made before are then made anew."""
