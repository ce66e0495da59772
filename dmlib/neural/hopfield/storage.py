"""Storage rules: weights of a Hopfield network that take in one pattern after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from dmlib.arrays import Floats
from dmlib.trace import look

MIN_RESIDUAL = 1e-9  # of a pattern's squared length: a smaller residual is rounding


def hebb(X: Floats, W: Floats) -> Iterator[Floats]:
    """Yield the weights after each pattern, which adds 1/n between two units that agree in it.

    Examples
    --------
    >>> list(hebb(np.array([[1.0, -1.0]]), np.zeros((2, 2))))[-1].tolist()
    [[0.0, -0.5], [-0.5, 0.0]]
    """
    n = X.shape[1]
    for x in X:
        look()
        W = W + np.outer(x, x) / n
        np.fill_diagonal(W, 0.0)
        yield W


def pseudo_inverse(X: Floats, W: Floats) -> Iterator[Floats]:
    """Yield the weights after each pattern: the projection onto all of them, without its diagonal.

    Each pattern adds the projection onto its residual; one that is a combination of those before
    adds nothing.
    """
    if W.any():
        raise ValueError(
            "The pseudo-inverse rule needs all patterns at once: weights alone do not tell which"
            " are stored. Choose Hebb's or Storkey's rule to store more in given weights."
        )
    n = X.shape[1]
    projection = np.zeros((n, n))
    for x in X:
        look()
        residual = x - projection @ x
        if residual @ residual > MIN_RESIDUAL * n:
            projection = projection + np.outer(residual, residual) / (residual @ residual)
        W = projection.copy()
        np.fill_diagonal(W, 0.0)
        yield W


def storkey(X: Floats, W: Floats) -> Iterator[Floats]:
    """Yield the weights after each pattern: Hebb's rule less what the weights before predict."""
    n = X.shape[1]
    for x in X:
        look()
        H = (W @ x)[:, None] - W * x  # H[i, j]: the sum of unit i without j
        W = W + (np.outer(x, x) - x[:, None] * H.T - H * x) / n
        np.fill_diagonal(W, 0.0)
        yield W


RULES: Mapping[str, Callable[[Floats, Floats], Iterator[Floats]]] = {
    "hebb": hebb,
    "pseudo_inverse": pseudo_inverse,
    "storkey": storkey,
}


def store(X: Floats, rule: str) -> Floats:
    """Return the weights after all patterns, from weights of zero.

    Examples
    --------
    >>> store(np.array([[1.0, -1.0]]), "pseudo_inverse").tolist()
    [[0.0, -0.5], [-0.5, 0.0]]
    """
    *_, W = RULES[rule](X, np.zeros((X.shape[1], X.shape[1])))
    return W
