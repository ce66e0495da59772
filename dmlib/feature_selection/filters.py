"""Filters: the score of each column alone, with the numbers that it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_array, check_consistent_length, column_or_1d

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.feature_selection.relief import relief
from dmlib.feature_selection.selector import Codes, check_names, standardised
from dmlib.squares import deviations, standard_deviations
from dmlib.trace import look

MAX_KERNEL_ROWS = 500  # rows that are compared in pairs: of kernels, and of repeated measurements
METHODS = {
    "correlation": "Correlation",
    "mutual_information": "Mutual information",
    "hsic": "HSIC",
    "chi2": "χ²",
    "relieff": "ReliefF",
    "variance": "Variance",
    "entropy": "Entropy",
    "smoothness": "Smoothness",
    "density": "Density",
    "reliability": "Reliability",
}
UNSUPERVISED = frozenset({"variance", "entropy", "smoothness", "density", "reliability"})
BINNED = ("mutual_information", "chi2", "entropy")
Parts = dict[str, float]


@dataclass(frozen=True)
class Target:
    """The numbers, or codes of classes, by which columns are judged.

    Attributes
    ----------
    y : ndarray of shape (n_samples,) or None
        Numbers or codes; None for unsupervised filters.
    classes : bool
        Whether these are codes.
    """

    y: Floats | Codes | None
    classes: bool

    def bins(self, n_bins: int) -> Codes:
        """Return classes, or bins of the numbers."""
        assert self.y is not None
        return self.y.astype(np.intp) if self.classes else quantile_bins(self.y, n_bins)

    @property
    def indicators(self) -> Floats:
        """The standardised numbers, or a column of 0 and 1 for each class, around their means."""
        assert self.y is not None
        if self.classes:
            Y = np.eye(int(self.y.max()) + 1)[self.y.astype(int)]
        else:
            Y = standardised(np.asarray(self.y, float)[:, None])
        return np.asarray(Y - Y.mean(axis=0), float)


def quantile_bins(x: ArrayLike, n_bins: int) -> Codes:
    """Return in which of some bins with equally many values each value is.

    Equal values share a bin. A column with no more values than bins holds categories: each has a
    bin of its own, whatever its code.

    Examples
    --------
    >>> quantile_bins([7.0, 0.0, 7.0, 100.0], 3).tolist()
    [1, 0, 1, 2]
    >>> quantile_bins([1.0, 2.0, 3.0, 4.0, 4.0, 4.0], 3).tolist()
    [0, 0, 1, 1, 1, 1]
    """
    values = np.asarray(x, float)
    categories, codes = np.unique(values, return_inverse=True)
    if len(categories) <= n_bins:
        return codes
    edges = np.quantile(values, np.arange(1, n_bins) / n_bins, method="inverted_cdf")
    bins: Codes = np.searchsorted(edges, values)
    return np.unique(bins, return_inverse=True)[1]


def width_bins(x: ArrayLike, n_bins: int) -> Codes:
    """Return in which of some bins of equal width each value is.

    Categories have bins of their own, as in :func:`quantile_bins`.

    Examples
    --------
    >>> width_bins([0.0, 1.0, 5.0, 10.0], 3).tolist(), width_bins([0.0, 1.0, 10.0], 3).tolist()
    ([0, 0, 1, 2], [0, 1, 2])
    """
    values = np.asarray(x, float)
    categories, codes = np.unique(values, return_inverse=True)
    if len(categories) <= n_bins:
        return codes
    unit = (values - values.min()) / (values.max() - values.min())
    bins: Codes = np.minimum((unit * n_bins).astype(np.intp), n_bins - 1)
    return bins


def joint_counts(a: Codes, b: Codes) -> Floats:
    """Return how many rows have each pair of codes, shape (n_a, n_b).

    Examples
    --------
    >>> joint_counts(np.array([0, 0, 1]), np.array([1, 1, 0])).tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """
    counts = np.zeros((int(a.max()) + 1, int(b.max()) + 1))
    np.add.at(counts, (a, b), 1)
    return counts


def _correlation(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    x, Y = deviations(X[:, j]), target.indicators
    flat = not standardised(X[:, [j]]).any()
    if target.classes:  # of classes: the root of the share of the variance between their means
        total = float(x @ x)
        groups = [x[indicator > 0] for indicator in Y.T]
        between = sum(len(group) * float(group.mean()) ** 2 for group in groups)
        score = 0.0 if flat else (between / total) ** 0.5
        return {"score": score, "between": between, "total": total}
    assert target.y is not None
    y = deviations(np.asarray(target.y, float))
    covariance = float(x @ y) / len(x)
    sx, sy = float(standard_deviations(x)), float(standard_deviations(y))
    r = 0.0 if flat else float(standardised(X[:, [j]])[:, 0] @ Y[:, 0]) / len(x)
    return {"score": abs(r), "covariance": covariance, "sx": sx, "sy": sy, "r": r}


def _entropy_of(counts: Floats) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def _mutual_information(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    counts = joint_counts(quantile_bins(X[:, j], n_bins), target.bins(n_bins))
    hx, hy = _entropy_of(counts.sum(axis=1)), _entropy_of(counts.sum(axis=0))
    hxy = _entropy_of(counts)
    return {"score": max(hx + hy - hxy, 0.0), "hx": hx, "hy": hy, "hxy": hxy}


def _chi2(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    counts = joint_counts(quantile_bins(X[:, j], n_bins), target.bins(n_bins))
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    terms = (counts - expected) ** 2 / expected
    i = np.unravel_index(int(terms.argmax()), terms.shape)
    return {
        "score": float(terms.sum()),
        "rows": counts.shape[0],
        "columns": counts.shape[1],
        "observed": float(counts[i]),
        "expected": float(expected[i]),
        "largest": float(terms[i]),
    }


def _kernel(x: Floats) -> Floats:
    """Return the Gaussian kernel matrix of numbers, with their standard deviation as its width."""
    z = standardised(x[:, None])[:, 0]
    kernel: Floats = np.exp(-0.5 * np.subtract.outer(z, z) ** 2)
    return kernel


def _hsic(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    rows = evenly(len(X), MAX_KERNEL_ROWS)
    assert target.y is not None
    y = target.y[rows]
    L = np.equal.outer(y, y).astype(float) if target.classes else _kernel(np.asarray(y, float))
    K, n = _kernel(X[rows, j]), len(rows)
    centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    trace = max(float((centred * L).sum()), 0.0)
    return {"score": trace / (n - 1) ** 2, "trace": trace, "n": n}


def _variance(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    away, n = deviations(X[:, j]), len(X)
    squares = float(away @ away)
    return {"score": squares / (n - 1), "squares": squares, "n": n}


def _entropy(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    """Bins here have equal width: bins with equally many values would all have the same entropy."""
    counts = np.bincount(width_bins(X[:, j], n_bins)).astype(float)
    sizes = {f"bin {i}": float(n) for i, n in enumerate(counts, start=1)}
    return {"score": _entropy_of(counts), **sizes}


def _smoothness(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    z = standardised(X[:, [j]])[:, 0]
    bend = np.diff(z, 2)
    curvature = float(bend @ bend) / max(len(bend), 1)
    return {"score": 1 - curvature / 6 if z.any() else 0.0, "curvature": curvature}


def _density(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    Z = standardised(X)
    r = np.abs(Z.T @ Z[:, j]) / len(Z)
    r[j] = 0.0
    total, n_others = float(r.sum()), X.shape[1] - 1
    return {"score": total / max(n_others, 1), "sum": total, "others": n_others}


def _reliability(X: Floats, j: int, target: Target, n_bins: int) -> Parts:
    Z = standardised(X[evenly(len(X), MAX_KERNEL_ROWS)])
    distances = np.zeros((len(Z), len(Z)))
    for column in np.delete(Z, j, axis=1).T:
        distances += np.subtract.outer(column, column) ** 2
    np.fill_diagonal(distances, np.inf)
    gaps = Z[:, j] - Z[distances.argmin(axis=1), j]
    error = float(gaps @ gaps) / (2 * len(Z))
    return {"score": 1 - error if Z[:, j].any() else 0.0, "error": error, "n": len(Z)}


_SCORE: dict[str, Callable[[Floats, int, Target, int], Parts]] = {
    "correlation": _correlation,
    "mutual_information": _mutual_information,
    "hsic": _hsic,
    "chi2": _chi2,
    "variance": _variance,
    "entropy": _entropy,
    "smoothness": _smoothness,
    "density": _density,
    "reliability": _reliability,
}


def parts_of(
    X: Floats,
    target: Target,
    method: str,
    *,
    n_bins: int = 5,
    n_neighbors: int = 10,
    errors: Any = None,
) -> list[Parts]:
    """Return the score of each column, with the numbers that it is made of."""
    if target.y is None and method not in UNSUPERVISED:
        raise ValueError(
            f"The filter {method!r} scores columns by a target: pass y, or choose an unsupervised"
            " filter."
        )
    if method == "relieff":
        columns = relief(X, target.y, target.classes, n_neighbors)
        triples = np.column_stack(columns).tolist()
        return [dict(zip(("score", "misses", "hits"), triple, strict=True)) for triple in triples]
    all_parts = []
    for j in range(X.shape[1]):
        look()
        if method == "reliability" and errors is not None:
            error = float(np.broadcast_to(errors, X.shape[1])[j]) ** 2
            variance = float(standard_deviations(X[:, j])) ** 2
            share = error / variance if variance > 0 else 1.0
            all_parts.append({"score": 1 - share, "error": share, "n": len(X)})
        else:
            all_parts.append(_SCORE[method](X, j, target, n_bins))
    return all_parts


def filter_scores(
    X: ArrayLike,
    y: ArrayLike | None = None,
    method: str = "correlation",
    *,
    n_bins: int = 5,
    n_neighbors: int = 10,
    errors: ArrayLike | None = None,
) -> Floats:
    """Return how good each column is alone.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The columns.
    y : array-like of shape (n_samples,) or None
        Numbers, or classes (whatever is not a floating-point number); the unsupervised filters need
        none.
    method : str
        "correlation": the size of Pearson's r; of classes the root of the share of the variance
        between them. "mutual_information": in bits, of bins. "hsic": trace(KHLH) / (n - 1)² with
        Gaussian kernels, of classes equality. "chi2": of the counts of bins. "relieff": nearest
        hits and misses. Without a target: "variance"; "entropy" of bins of equal width;
        "smoothness": 1 - curvature / 6 of the standardised rows in their order, 0 for white noise;
        "density": the mean size of the correlations with the other columns; "reliability": 1 -
        error variance / variance.
    n_bins : int
        Bins of a number: with equally many rows, for "entropy" of equal width. A column with no
        more values than bins holds categories, each in a bin of its own.
    n_neighbors : int
        The neighbours of "relieff".
    errors : array-like of shape (n_features,) or None
        For "reliability": the standard errors of measurement. Without them the nearest row in the
        other columns stands for a second measurement.

    Returns
    -------
    ndarray of shape (n_features,)
        The larger the better.

    Raises
    ------
    ValueError
        If a column holds names or a value is missing, or a filter lacks its target.

    Notes
    -----
    O(n p) but for "density", O(n p²), and for "hsic", "relieff" and "reliability", which compare
    pairs of rows: of more than 500 rows, 500 at equal distances.

    References
    ----------
    A. Gretton et al. (2005), Measuring statistical dependence with Hilbert-Schmidt norms. ALT.
    I. Guyon and A. Elisseeff (2003), An introduction to variable and feature selection. JMLR 3.

    Examples
    --------
    >>> X = [[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [4.0, 2.0]]
    >>> filter_scores(X, [1.0, 2.0, 3.0, 4.0]).round(3).tolist()
    [1.0, 0.424]
    >>> filter_scores(X, method="variance").round(3).tolist()
    [1.667, 3.333]
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}; it was {method!r}.")
    check_names(X)
    numbers = check_array(X, dtype=np.float64, ensure_min_samples=2)
    target = target_of(y)
    if target.y is not None:
        check_consistent_length(numbers, target.y)
    sizes = {"n_bins": n_bins, "n_neighbors": n_neighbors}
    all_parts = parts_of(numbers, target, method, **sizes, errors=errors)
    return np.array([parts["score"] for parts in all_parts])


def target_of(y: Any) -> Target:
    """Return a target: floating-point numbers are numbers, all else are classes."""
    if y is None:
        return Target(None, classes=False)
    values = column_or_1d(y, warn=True)
    if values.dtype.kind == "f":
        return Target(check_array(values, ensure_2d=False, dtype=np.float64), classes=False)
    return Target(np.unique(values, return_inverse=True)[1], classes=True)
