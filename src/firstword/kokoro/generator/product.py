"""Products of matrices and vectors by one thread.

NumPy's `@` gives what is large to BLAS, whose threads go on spinning for tens of milliseconds when they are done, on
the cores that the first window needs: it took 50 ms longer for them. These products take 3 ms by one thread.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["applied", "times"]

type Floats = NDArray[np.float32]


def times(matrix: Floats, vector: Floats) -> Floats:
    """[..., n, m] and [m] as [..., n]."""
    product: Floats = np.einsum("...nm,m->...n", matrix, vector)
    return product


def applied(vector: Floats, matrix: Floats) -> Floats:
    """[n] and [n, m] as [m]."""
    product: Floats = np.einsum("n,nm->m", vector, matrix)
    return product
