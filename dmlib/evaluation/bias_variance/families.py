"""Models of every complexity at once: what each says at some places, after it has learned from a training set.

All complexities share one decomposition of a training set, and many sets are worked on at once: a
hundred take about a hundredth of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from sklearn.tree import DecisionTreeRegressor

from dmlib.arrays import Floats

BASIS = 12  # degree of the polynomial that ridge regression shrinks


@dataclass(frozen=True)
class Family:
    """Models of one kind.

    Attributes
    ----------
    parameter, label : str
        What makes them simple or complex, and what a reader sees of it.
    levels : tuple of float
        Its values.
    falling : bool
        Whether large values are simple.
    fits : callable
        Takes the places and heights of training sets, shape (..., n_samples), and other places, all
        places from -1 to 1; returns what the models say at those others and then at their own,
        shape (..., n_levels, n_places + n_samples).
    """

    parameter: str
    label: str
    levels: tuple[float, ...]
    falling: bool
    fits: Callable[[Floats, Floats, Floats], Floats]


DEGREES = tuple(float(d) for d in range(16))
NEIGHBORS = tuple(float(k) for k in range(1, 21))
DEPTHS = tuple(float(d) for d in range(9))
PENALTIES = tuple(-6 + 0.5 * i for i in range(17))


def polynomials(x: Floats, y: Floats, at: Floats) -> Floats:
    """Fit polynomials of all degrees by one QR decomposition: each further degree adds one projection.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 30)
    >>> bool(np.allclose(polynomials(x, x**2, np.array([0.5]))[[0, 2, 9], 0], [(x**2).mean(), 0.25, 0.25]))
    True
    """
    basis = np.polynomial.legendre.legvander(_beside(at, x), len(DEGREES) - 1)
    Q, R = np.linalg.qr(basis[..., len(at) :, :])
    basis = np.linalg.solve(R.swapaxes(-1, -2), basis.swapaxes(-1, -2))
    return np.asarray(np.cumsum(basis * (Q.swapaxes(-1, -2) @ y[..., None]), axis=-2))


def neighbors(x: Floats, y: Floats, at: Floats) -> Floats:
    """Average the nearest heights, one neighbour more at a time.

    Examples
    --------
    >>> neighbors(np.linspace(-1, 1, 20), np.arange(20.0), np.array([-1.0]))[[0, 1, 2], 0].tolist()
    [0.0, 0.5, 1.0]
    """
    most = len(NEIGHBORS)
    gaps = np.abs(_beside(at, x)[..., None] - x[..., None, :])
    near = np.argsort(gaps, axis=-1, kind="stable")[..., :most]
    heights = np.take_along_axis(np.broadcast_to(y[..., None, :], gaps.shape), near, axis=-1)
    return np.asarray((np.cumsum(heights, axis=-1) / np.arange(1, most + 1)).swapaxes(-1, -2))


def trees(x: Floats, y: Floats, at: Floats) -> Floats:
    """Grow one regression tree and read it at every depth.

    Examples
    --------
    >>> trees(np.array([-1.0, -0.5, 0.5, 1.0]), np.array([0.0, 0.0, 4.0, 8.0]), np.array([0.6]))[:4, 0].tolist()
    [3.0, 6.0, 4.0, 4.0]
    """
    if x.ndim > 1:
        return np.array([trees(*each, at) for each in zip(x, y, strict=True)])
    tree = DecisionTreeRegressor(max_depth=len(DEPTHS) - 1, random_state=0).fit(x[:, None], y).tree_
    places, values = np.concatenate([at, x]).astype(np.float32), tree.value.ravel()
    node, said = np.zeros(len(places), np.intp), []
    for _ in DEPTHS:
        said.append(values[node])
        inner = tree.children_left[node] >= 0
        below = np.where(
            places <= tree.threshold[node], tree.children_left[node], tree.children_right[node]
        )
        node = np.where(inner, below, node)
    return np.array(said)


def ridges(x: Floats, y: Floats, at: Floats) -> Floats:
    """Shrink the coefficients of a polynomial by every penalty, by one singular value decomposition.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 40)
    >>> said = ridges(x, x, np.array([1.0]))[:, 0]
    >>> bool(abs(said[0] - 1) < 1e-3 and said[-1] < 0.2)
    True
    """
    B = np.polynomial.legendre.legvander(_beside(at, x), BASIS)[..., 1:]
    A = B[..., len(at) :, :]
    mean, center = A.mean(axis=-2, keepdims=True), y.mean(axis=-1)[..., None, None]
    U, s, Vt = np.linalg.svd(A - mean, full_matrices=False)
    parts = (U.swapaxes(-1, -2) @ (y[..., None] - center)).swapaxes(-1, -2)
    shrunk = (
        s[..., None, :] / (s[..., None, :] ** 2 + 10.0 ** np.array(PENALTIES)[:, None])
    ) * parts
    return np.asarray(center + shrunk @ ((B - mean) @ Vt.swapaxes(-1, -2)).swapaxes(-1, -2))


def _beside(at: Floats, x: Floats) -> Floats:
    """Return places with those of each training set behind them."""
    return np.concatenate([np.broadcast_to(at, (*x.shape[:-1], len(at))), x], axis=-1)


FAMILIES: Mapping[str, Family] = {
    "polynomial": Family("degree", "degree", DEGREES, False, polynomials),
    "knn": Family("n_neighbors", "neighbours k", NEIGHBORS, True, neighbors),
    "tree": Family("max_depth", "depth", DEPTHS, False, trees),
    "ridge": Family("log_penalty", "log₁₀ λ", PENALTIES, True, ridges),
}
SPOKEN = {
    "polynomial": "polynomial",
    "knn": "k nearest neighbours",
    "tree": "regression tree",
    "ridge": "ridge regression",
}
"""What a reader sees of the models."""
