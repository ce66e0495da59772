"""How patterns are stored in weights: rules that take in one pattern after the other, beside what is stored already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from dmlib.arrays import Floats
from dmlib.trace import look

NEW = 1e-9  # of its length: what a pattern has beside those before, unless it is rounding


def hebb(X: Floats, W: Floats) -> Iterator[Floats]:
    """Yield the weights after each pattern: two units that agree in it are tied by 1/n more.

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

    Only what is new of a pattern, beside its projection, is stored; of one that the others make up,
    nothing.
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
        rest = x - projection @ x
        if rest @ rest > NEW * n:
            projection = projection + np.outer(rest, rest) / (rest @ rest)
        W = projection.copy()
        np.fill_diagonal(W, 0.0)
        yield W


def storkey(X: Floats, W: Floats) -> Iterator[Floats]:
    """Yield the weights after each pattern: Hebb's rule, less what the weights before say of the two units already."""
    n = X.shape[1]
    for x in X:
        look()
        H = (W @ x)[:, None] - W * x  # H[i, j]: the sum of unit i, without j
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
