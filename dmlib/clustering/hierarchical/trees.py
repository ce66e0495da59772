"""Hierarchical clusterings: the distances of rows, and the cut of the tree that is made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.dendrogram import Labels, clusters_below, cut_tree
from dmlib.clustering.neighbors import refuse_constant_rows
from dmlib.squares import check_squares

MAX_ROWS = 16_000
"""The distances of so many rows to each other, twice, take two gigabytes."""

METRICS = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "cosine": "cosine",
    "correlation": "correlation",
}
"""The metrics, with the names that SciPy has for them."""
SYNONYMS = {"l1": "manhattan", "cityblock": "manhattan", "l2": "euclidean"}


class HierarchicalClustering(ClusterMixin, BaseEstimator):
    """A clustering that makes a tree of the rows and cuts it.

    Subclasses have the parameter ``metric``, and ``linkage_``, the tree in SciPy's format, once
    they are fitted.
    """

    metric: str
    linkage_: Floats
    distances_: Floats
    labels_: Labels
    n_clusters_: int

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[Any]:
        """Yield the steps that make the tree, and the cut."""
        raise NotImplementedError

    def cut(self, height: float) -> Labels:
        """Return the clusters of the rows when merges at ``height`` and above are undone."""
        check_is_fitted(self)
        return cut_tree(self.linkage_, clusters_below(self.linkage_, height))

    def distances_between(self, X: ArrayLike) -> Floats:
        """Return the distances of all pairs of rows: the upper triangle of the distance matrix.

        ``X`` are rows as those seen by ``fit``.
        """
        check_is_fitted(self)
        return self._distances(validate_data(self, X, dtype=np.float64, reset=False))

    def cophenetic_correlation(self, X: ArrayLike) -> float:
        """Return the correlation of the rows' distances with the heights that join them.

        ``X`` are the rows seen by ``fit``. 1: the tree keeps the distances up to scale. NaN: one
        side does not vary.
        """
        return cophenetic_correlation(self.linkage_, self.distances_between(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def _check(self, n_samples: int) -> None:
        """Check the parameters and the number of rows."""
        if n_samples > MAX_ROWS:
            raise ValueError(
                f"The distances between all pairs of {n_samples:,} rows take "
                f"{n_samples**2 * 8 / 1e9:.1f} GB. Use a sample of at most {MAX_ROWS:,} rows."
            )

    def _metric(self) -> Any:
        """Return the name of the metric that a control could show."""
        if not isinstance(self.metric, str):
            return self.metric
        return (
            "euclidean" if self.metric == "precomputed" else SYNONYMS.get(self.metric, self.metric)
        )

    def _distances(self, X: Floats) -> Floats:
        """Return the upper triangle of the distance matrix, row by row."""
        self._check(len(X))
        if self.metric == "precomputed":
            return _upper_triangle(X)
        if self.metric == "cosine" and not X.any(axis=1).all():
            raise ValueError(
                "Cosine affinity cannot be used when X contains zero vectors: "
                "a row of zeros has no direction. Choose another metric, or leave such rows out."
            )
        if self.metric == "correlation":
            refuse_constant_rows(X)
        if self._metric() in ("euclidean", "l2"):
            check_squares(X)
        distances: Floats = pdist(X, METRICS[self._metric()])
        if not np.isfinite(distances).all():
            raise ValueError(
                "The squares of the values are too large for a computer number. "
                "Standardise the columns."
            )
        return distances


def cophenetic_correlation(tree: Floats, distances: Floats) -> float:
    """Return the correlation of distances with the heights of a tree; NaN where one is constant.

    Examples
    --------
    >>> tree = np.array([[0, 1, 1.0, 2], [2, 3, 3.0, 3]])
    >>> round(cophenetic_correlation(tree, np.array([1.0, 3.0, 3.0])), 6)
    1.0
    """
    heights = hierarchy.cophenet(tree)
    if np.ptp(distances) == 0 or np.ptp(heights) == 0:
        return float("nan")
    return float(np.corrcoef(distances / distances.max(), heights / heights.max())[0, 1])


def _upper_triangle(D: Floats) -> Floats:
    """Check a matrix of distances and return what is above its diagonal."""
    if D.shape[0] != D.shape[1]:
        raise ValueError(
            f"Distance matrix should be square, got matrix of shape {D.shape}. "
            "Give one row and one column per sample."
        )
    if (
        (D < 0).any()
        or not np.allclose(D, D.T)
        or not np.allclose(np.diag(D), 0, atol=1e-8 * max(1.0, D.max()))
    ):
        raise ValueError(
            "A distance matrix must be symmetric, without negative numbers, "
            "and zero on its diagonal. Check the matrix."
        )
    triangle: Floats = squareform(D, checks=False)
    return triangle
