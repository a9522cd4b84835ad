"""A logistic model by Newton's method, for the small fits of the benchmarks."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def fitted(x: Array, y: Array, weights: Array, *, ridge: float) -> Array:
    """Coefficients of `y` (0 or 1) on the columns of `x`, of which the first is the bias and goes unpenalised."""
    beta = np.zeros(x.shape[1])
    penalty = np.diag([0.0, *[ridge] * (x.shape[1] - 1)])
    for _ in range(50):
        p = predicted(x, beta)
        gradient = x.T @ (weights * (y - p)) - penalty @ beta
        beta += np.linalg.solve(x.T @ (x * (weights * p * (1 - p))[:, None]) + penalty, gradient)
    return beta


def predicted(x: Array, beta: Array) -> Array:
    """The probabilities."""
    result: Array = 1 / (1 + np.exp(-x @ beta))
    return result
