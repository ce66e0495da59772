"""Models of all complexities at once: their predictions after they are fitted to a training set.

All complexities share one decomposition of a training set, and many sets are fitted at once: a
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
        The parameter of complexity, and its label.
    levels : tuple of float
        Its values.
    falling : bool
        Whether large values are simple.
    fits : callable
        Takes the places and heights of training sets, shape (..., n_samples), and further places,
        all from -1 to 1; returns the predictions at the further places and then at the training
        places, shape (..., n_levels, n_places + n_samples).
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
    """Fit polynomials of all degrees by one QR decomposition: each degree adds one projection.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 30)
    >>> heights = polynomials(x, x**2, np.array([0.5]))[[0, 2, 9], 0]
    >>> bool(np.allclose(heights, [(x**2).mean(), 0.25, 0.25]))
    True
    """
    basis = np.polynomial.legendre.legvander(_with_training_places(at, x), len(DEGREES) - 1)
    Q, R = np.linalg.qr(basis[..., len(at) :, :])
    basis = np.linalg.solve(R.swapaxes(-1, -2), basis.swapaxes(-1, -2))
    return np.asarray(np.cumsum(basis * (Q.swapaxes(-1, -2) @ y[..., None]), axis=-2))


def neighbors(x: Floats, y: Floats, at: Floats) -> Floats:
    """Average the nearest heights for each number of neighbours.

    Examples
    --------
    >>> neighbors(np.linspace(-1, 1, 20), np.arange(20.0), np.array([-1.0]))[[0, 1, 2], 0].tolist()
    [0.0, 0.5, 1.0]
    """
    distances = np.abs(_with_training_places(at, x)[..., None] - x[..., None, :])
    nearest = np.argsort(distances, axis=-1, kind="stable")[..., : len(NEIGHBORS)]
    all_heights = np.broadcast_to(y[..., None, :], distances.shape)
    heights = np.take_along_axis(all_heights, nearest, axis=-1)
    return np.asarray((np.cumsum(heights, axis=-1) / np.array(NEIGHBORS)).swapaxes(-1, -2))


def trees(x: Floats, y: Floats, at: Floats) -> Floats:
    """Grow one regression tree and read it at every depth.

    Examples
    --------
    >>> x, y = np.array([-1.0, -0.5, 0.5, 1.0]), np.array([0.0, 0.0, 4.0, 8.0])
    >>> trees(x, y, np.array([0.6]))[:4, 0].tolist()
    [3.0, 6.0, 4.0, 4.0]
    """
    if x.ndim > 1:
        return np.array([trees(*training_set, at) for training_set in zip(x, y, strict=True)])
    tree = DecisionTreeRegressor(max_depth=len(DEPTHS) - 1, random_state=0).fit(x[:, None], y).tree_
    places = np.concatenate([at, x]).astype(np.float32)
    values = tree.value.ravel()
    node = np.zeros(len(places), np.intp)
    predictions = []
    for _ in DEPTHS:
        predictions.append(values[node])
        left_child, right_child = tree.children_left[node], tree.children_right[node]
        child = np.where(places <= tree.threshold[node], left_child, right_child)
        node = np.where(left_child >= 0, child, node)
    return np.array(predictions)


def ridges(x: Floats, y: Floats, at: Floats) -> Floats:
    """Fit ridge regression to powers for all penalties by one singular value decomposition.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 40)
    >>> heights = ridges(x, x, np.array([1.0]))[:, 0]
    >>> bool(abs(heights[0] - 1) < 1e-3 and heights[-1] < 0.2)
    True
    """
    B = np.polynomial.legendre.legvander(_with_training_places(at, x), BASIS)[..., 1:]
    A = B[..., len(at) :, :]
    mean = A.mean(axis=-2, keepdims=True)
    center = y.mean(axis=-1)[..., None, None]
    U, sizes, Vt = np.linalg.svd(A - mean, full_matrices=False)
    parts = (U.swapaxes(-1, -2) @ (y[..., None] - center)).swapaxes(-1, -2)
    s = sizes[..., None, :]
    penalties = 10.0 ** np.array(PENALTIES)[:, None]
    shrunk = (s / (s**2 + penalties)) * parts
    return np.asarray(center + shrunk @ ((B - mean) @ Vt.swapaxes(-1, -2)).swapaxes(-1, -2))


def _with_training_places(at: Floats, x: Floats) -> Floats:
    """Return places followed by those of each training set."""
    return np.concatenate([np.broadcast_to(at, (*x.shape[:-1], len(at))), x], axis=-1)


FAMILIES: Mapping[str, Family] = {
    "polynomial": Family("degree", "degree", DEGREES, False, polynomials),
    "knn": Family("n_neighbors", "neighbours k", NEIGHBORS, True, neighbors),
    "tree": Family("max_depth", "depth", DEPTHS, False, trees),
    "ridge": Family("log_penalty", "log₁₀ λ", PENALTIES, True, ridges),
}
MODEL_LABELS = {
    "polynomial": "polynomial",
    "knn": "k nearest neighbours",
    "tree": "regression tree",
    "ridge": "ridge regression",
}
