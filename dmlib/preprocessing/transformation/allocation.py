"""Allocation of a stratified sample to the classes, and the variance of its mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats

SPREAD = ("neyman", "optimal")
"""Strategies that depend on the spread of a column within the classes."""


def allocate(
    counts: NDArray[np.integer], size: int, *, equal: bool = False, weights: Floats | None = None
) -> list[int]:
    """Return the sizes of a stratified sample: by shares (largest remainders), equal, or by weight.

    With weights each class has at least one row, if there are enough for all.

    Examples
    --------
    >>> allocate(np.array([50, 30, 20]), 7), allocate(np.array([50, 30, 1]), 7, equal=True)
    ([4, 2, 1], [3, 3, 1])
    >>> allocate(np.array([50, 30, 20]), 10, weights=np.array([50.0, 60.0, 0.0]))
    [4, 5, 1]
    """
    size = min(size, int(counts.sum()))
    shares: Any = np.ones(len(counts)) if equal else counts / counts.sum()
    has_weights = weights is not None and bool(weights.sum() > 0)
    if has_weights:
        shares = weights
    sizes = np.zeros(len(counts), int)
    while (n_remaining := size - int(sizes.sum())) > 0:
        has_room = sizes < counts
        free_shares = np.where(has_room, shares, 0.0)
        if free_shares.sum() <= 0:
            free_shares = has_room.astype(float)
        # The sizes of the classes that are not exhausted, if they could be fractions.
        quota = free_shares / free_shares.sum() * (size - sizes[~has_room].sum())
        added = np.floor(quota + 1e-9).astype(int) - sizes
        if not (added[has_room] > 0).any():
            remainder = np.where(has_room, quota - sizes, -np.inf)
            added[:] = 0
            added[np.argsort(-remainder, kind="stable")[:n_remaining]] = 1
        sizes += np.clip(added, 0, counts - sizes)
    if has_weights and size >= len(counts):
        for c in np.flatnonzero(sizes == 0):
            sizes[sizes.argmax()] -= 1
            sizes[c] = 1
    return [int(number) for number in sizes]


def spreads(x: Floats, codes: NDArray[np.intp]) -> Floats:
    """Return the sample standard deviation of a column within each class; 0 of a single row.

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
        If a class is unknown, or a cost is not above 0.

    Examples
    --------
    >>> costs_of({"b": 4.0}, ["a", "b"]).tolist()
    [1.0, 4.0]
    """
    result, names = np.ones(len(classes)), list(classes)
    for name, cost in (costs or {}).items():
        if name not in names:
            raise ValueError(f"costs must name classes, got {name!r}, which is none.")
        if not (np.isreal(cost) and 0 < cost < np.inf):
            raise ValueError(
                f"The cost of a row of {name!r} must be a number above 0, got {cost!r}."
            )
        result[names.index(name)] = cost
    return result


def variance(counts: ArrayLike, spread: ArrayLike, sizes: ArrayLike) -> float:
    r"""Return the variance of the mean of a stratified sample.

    It is :math:`\sum (N_h / N)^2 (1 - n_h / N_h) S_h^2 / n_h`; NaN where a class has no row in the
    sample, though its rows differ.

    References
    ----------
    W. G. Cochran (1977), Sampling techniques, equation 5.6.

    Examples
    --------
    >>> variance([4, 4], [2.0, 1.0], [2, 1])  # 1/4 * 1/2 * 4/2 + 1/4 * 3/4 * 1
    0.4375
    """
    N, S, n = (np.asarray(each, float) for each in (counts, spread, sizes))
    if ((n == 0) & (S > 0)).any():
        return float("nan")
    return float(((N / N.sum()) ** 2 * (1 - n / N) * S**2 / np.maximum(n, 1)).sum())
