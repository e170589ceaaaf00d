"""Products by one thread are the products."""

import numpy as np

from firstword.kokoro.generator.product import applied, times


def test_they_are_the_products_that_numpy_makes() -> None:
    random = np.random.default_rng(1)
    stack = random.normal(size=(2, 30, 7)).astype(np.float32)
    vector = random.normal(size=7).astype(np.float32)
    assert np.allclose(times(stack, vector), stack @ vector, atol=1e-5)
    assert np.allclose(applied(vector, stack[0].T), vector @ stack[0].T, atol=1e-5)
    assert times(stack, vector).dtype == applied(vector, stack[0].T).dtype == np.float32
