"""Random patterns, as the theory of associative memories assumes them."""

from __future__ import annotations

import numpy as np

from dmlib.datasets.containers import Patterns
from dmlib.datasets.generators.points import LICENCE


def random_patterns(
    *, n_patterns: int = 6, side: int = 8, on: float = 0.5, random_state: int = 0
) -> Patterns:
    """Switch each cell of squares on by chance.

    Parameters
    ----------
    n_patterns : int
        Number of patterns.
    side : int
        Cells along each side of the square.
    on : float
        Probability that a cell is on.
    random_state : int
        Seed: the same seed gives the same patterns.

    Returns
    -------
    Patterns
        They are called 1, 2, ...

    Examples
    --------
    >>> random_patterns(n_patterns=3, side=4).patterns.shape
    (3, 4, 4)
    """
    rng = np.random.default_rng(random_state)
    return Patterns(
        rng.random((n_patterns, side, side)) < on,
        tuple(str(i + 1) for i in range(n_patterns)),
        name="random_patterns",
        title="Random patterns",
        description=f"Squares of {side} x {side} cells that are on with probability {on:g}.",
        source="Generated.",
        licence=LICENCE,
    )
