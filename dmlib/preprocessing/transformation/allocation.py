"""How many rows of each class a stratified sample has, and how sure its mean is then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats

SPREAD = ("neyman", "optimal")
"""Ways that ask how much a column varies within the classes."""


def allocate(
    counts: NDArray[np.integer], size: int, *, equal: bool = False, weights: Floats | None = None
) -> list[int]:
    """Return how many rows of each class are drawn: as its share is (largest remainders), as many of each, by weight.

    With weights each class has at least one row, if there are enough for all.

    Examples
    --------
    >>> allocate(np.array([50, 30, 20]), 7), allocate(np.array([50, 30, 1]), 7, equal=True)
    ([4, 2, 1], [3, 3, 1])
    >>> allocate(np.array([50, 30, 20]), 10, weights=np.array([50.0, 60.0, 0.0]))
    [4, 5, 1]
    """
    size = min(size, int(counts.sum()))
    weighed = weights is not None and bool(weights.sum() > 0)
    shares: Any = weights if weighed else np.ones(len(counts)) if equal else counts / counts.sum()
    wanted = np.zeros(len(counts), int)
    while (left := size - int(wanted.sum())) > 0:
        room = wanted < counts
        open_shares = np.where(room, shares, 0.0)
        open_shares = open_shares if open_shares.sum() > 0 else room.astype(float)
        share = open_shares / open_shares.sum() * left
        more = np.minimum(np.floor(share).astype(int), counts - wanted)
        if not more.any():
            remainder = np.where(room, share, -1.0)
            more[np.argsort(-remainder, kind="stable")[:left]] = 1
            more = np.minimum(more, counts - wanted)
        wanted += more
    if weighed and size >= len(counts):
        for c in np.flatnonzero(wanted == 0):
            wanted[wanted.argmax()] -= 1
            wanted[c] = 1
    return [int(number) for number in wanted]


def spreads(x: Floats, codes: NDArray[np.intp]) -> Floats:
    """Return the standard deviation of a column within each class, dividing by n - 1; 0 of a single row.

    Examples
    --------
    >>> spreads(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 1])).round(4).tolist()
    [1.4142, 0.0]
    """
    parts = [x[codes == c] for c in range(int(codes.max()) + 1)]
    return np.array([float(part.std(ddof=1)) if len(part) > 1 else 0.0 for part in parts])


def costs_of(costs: Mapping[Any, float] | None, classes: Sequence[Any]) -> Floats:
    """Return the cost of a row of each class; 1 where none is named.

    Raises
    ------
    ValueError
        If a class is named that is not there, or a cost is not above 0.

    Examples
    --------
    >>> costs_of({"b": 4.0}, ["a", "b"]).tolist()
    [1.0, 4.0]
    """
    found, names = np.ones(len(classes)), list(classes)
    for name, cost in (costs or {}).items():
        if name not in names:
            raise ValueError(f"costs must name classes, got {name!r}, which is none.")
        if not (np.isreal(cost) and 0 < cost < np.inf):
            raise ValueError(
                f"The cost of a row of {name!r} must be a number above 0, got {cost!r}."
            )
        found[names.index(name)] = cost
    return found


def variance(counts: ArrayLike, spread: ArrayLike, drawn: ArrayLike) -> float:
    r"""Return the variance of the mean of a stratified sample, :math:`\sum (N_h / N)^2 (1 - n_h / N_h) S_h^2 / n_h`.

    NaN where a class has no row in the sample, though its rows differ.

    References
    ----------
    W. G. Cochran (1977), Sampling techniques, equation 5.6.

    Examples
    --------
    >>> variance([4, 4], [2.0, 1.0], [2, 1])  # 1/4 * 1/2 * 4/2 + 1/4 * 3/4 * 1
    0.4375
    """
    N, S, n = (np.asarray(each, float) for each in (counts, spread, drawn))
    if ((n == 0) & (S > 0)).any():
        return float("nan")
    return float(((N / N.sum()) ** 2 * (1 - n / N) * S**2 / np.maximum(n, 1)).sum())
