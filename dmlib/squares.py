"""Squares: of deviations from a mean, and of numbers whose squares are no numbers any more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats

LARGEST = 1e100  # numbers up to which sums of squares of rows are finite


def check_largest(*parts: ArrayLike) -> None:
    """Refuse numbers of which no sums of squares can be taken.

    Raises
    ------
    ValueError
        If one is too large.

    Examples
    --------
    >>> check_largest([[1e100]], [2.0])
    >>> check_largest([[1e200]])
    Traceback (most recent call last):
        ...
    ValueError: A number is beyond 1e+100, and cannot be squared. Rescale the columns.
    """
    if any(np.abs(part).max(initial=0.0) > LARGEST for part in parts):
        raise ValueError(
            f"A number is beyond {LARGEST:g}, and cannot be squared. Rescale the columns."
        )


def check_squares(X: NDArray[np.floating], *, each: bool = False, power: float = 2.0) -> None:
    """Refuse values whose differences are too large or too small to be squared.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The values; NaN where one is missing.
    each : bool
        Whether every column counts for itself; else a column may be tiny beside others.
    power : float
        What the differences are raised to.

    Raises
    ------
    ValueError
        If squares of differences are infinite, or vanish.

    Examples
    --------
    >>> check_squares(np.array([[0.0], [1e-100]]))
    >>> check_squares(np.array([[0.0], [1e-160]]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: The squares of the differences are too small ...
    """
    limits = np.finfo(X.dtype)
    smallest = float(limits.tiny / limits.eps) ** (1 / power)  # smaller powers lose digits
    if not len(X):
        return
    with np.errstate(over="ignore", invalid="ignore"):
        spread = np.nan_to_num(np.fmax.reduce(X) - np.fmin.reduce(X), posinf=np.inf)
        powers = (spread**power).sum()
    if np.isinf(powers):
        raise ValueError(
            "The squares of the values are too large for a computer number. Standardise the"
            " columns."
        )
    spread = spread if each else spread.max(initial=0, keepdims=True)
    if ((spread > 0) & (spread < smallest)).any():
        raise ValueError(
            "The squares of the differences are too small for a computer number. Standardise the"
            " columns."
        )


def centred(X: Floats) -> tuple[Floats, Floats]:
    """Return the mean of numbers, or the means of columns, and the numbers less them.

    A column far from zero keeps its digits, and a constant column is its own mean: its deviations
    are exactly 0.

    Examples
    --------
    >>> mean, moved = centred(np.array([1e16, 1e16 + 2, 1e16 + 4]))
    >>> float(mean) == 1e16 + 2, moved.tolist(), centred(np.full(10, 0.1))[1].any().item()
    (True, [-2.0, 0.0, 2.0], False)
    """
    moved = X - X[0]  # what is left has digits to spare for the mean
    shift = moved.mean(axis=0)
    return X[0] + shift, moved - shift


def finite_values(compute: Callable[[], Floats]) -> Floats:
    """Return results computed from rows, and refuse undefined ones.

    Raises
    ------
    ValueError
        If a row is so large that a number is undefined, or that all of its numbers are infinite.

    Examples
    --------
    >>> finite_values(lambda: np.array([[1.0, np.inf]])).tolist()
    [[1.0, inf]]
    >>> finite_values(lambda: np.square(np.array([[1e200]])))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: A row of X has numbers that are too large to compute with. ...
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        values = compute()
    rows = values.reshape(len(values), -1)
    if np.isnan(rows).any() or np.isinf(rows).all(axis=1).any():
        raise ValueError(
            "A row of X has numbers that are too large to compute with. Rescale the columns, or"
            " leave it out."
        )
    return values


def deviations(X: Floats) -> Floats:
    """Return numbers, or columns of numbers, less their means, as :func:`centred` does."""
    return centred(X)[1]


def standard_deviations(X: Floats) -> Floats:
    """Return the standard deviations of columns, dividing by n; exactly 0 of a constant column.

    Examples
    --------
    >>> standard_deviations(np.array([[0.1, 1.0], [0.1, 3.0], [0.1, 5.0]])).round(4).tolist()
    [0.0, 1.633]
    """
    return np.asarray(np.sqrt((deviations(X) ** 2).mean(axis=0)))


def r_squared(y: Floats, sse: float) -> float:
    """Return R² = 1 - SSE / SST of predictions; NaN if all targets are equal.

    Examples
    --------
    >>> r_squared(np.array([1.0, 2.0, 3.0]), 0.5), r_squared(np.full(11, -2.3e-5), 0.0)
    (0.75, nan)
    """
    total = float((deviations(y) ** 2).sum())
    return 1 - sse / total if total > 0 else float("nan")
