"""k-means over a table that is read once for each iteration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.large.blocks import complete, numbers, summarised
from dmlib.large.moments import Moments
from dmlib.large.seeding import first_centers
from dmlib.large.source import Source, open_table
from dmlib.params import Choice, Integer, Number, Param, check_params


@dataclass(frozen=True)
class ClusterSums:
    """Sufficient statistics of the clusters of some rows, around an origin."""

    counts: Floats  # (n_clusters,): rows
    sums: Floats  # (n_clusters, n_columns)
    inertia: float
    # The rows farthest from their centres, at most one a cluster; the farthest first
    far: Floats
    distances: Floats  # squared
    labels: NDArray[np.intp]

    def merge(self, following: ClusterSums) -> ClusterSums:
        """Return those of both."""
        distances = np.concatenate([self.distances, following.distances])
        best = np.argsort(-distances, kind="stable")[: len(self.counts)]
        return ClusterSums(
            self.counts + following.counts,
            self.sums + following.sums,
            self.inertia + following.inertia,
            np.concatenate([self.far, following.far])[best],
            distances[best],
            np.concatenate([self.labels, following.labels])[best],
        )

    def means(self, centers: Floats) -> Floats:
        """Return the means of the clusters; an empty one gets the row farthest from its centre."""
        counts, sums = self.counts.copy(), self.sums.copy()
        for empty, row, owner in zip(
            np.flatnonzero(counts == 0), self.far, self.labels, strict=False
        ):
            counts[owner] -= 1
            sums[owner] -= row
            counts[empty], sums[empty] = 1, row
        return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centers)


class LargeClustering(ClusterMixin, BaseEstimator):
    """Base of both k-means for large tables, once they are fitted."""

    cluster_centers_: Floats
    columns_: tuple[str, ...]

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the nearest centre of each row of a data frame or matrix that fits into memory."""
        check_is_fitted(self)
        rows = X[list(self.columns_)] if isinstance(X, pd.DataFrame) else X
        labels: NDArray[np.int32] = pairwise_distances_argmin(
            check_array(rows), self.cluster_centers_
        ).astype(np.int32)
        return labels

    def score(self, X: Any, y: Any = None) -> float:
        """Return minus the inertia of a large table."""
        check_is_fitted(self)
        return -self._sums(open_table(X), self.cluster_centers_, self.cluster_centers_[0]).inertia

    def _sums(self, source: Source, centers: Floats, origin: Floats) -> ClusterSums:
        make = partial(assigned, centers=centers - origin, origin=origin)
        return summarised(source, self.columns_, make)


class KMeans(LargeClustering):
    r"""Find k centres with a small inertia (sum of squared distances), one pass an iteration.

    A pass leaves the size, the sum and the squared error of each cluster for every block of rows;
    their sums are all that Lloyd's update needs.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters, k.
    init : {"k-means||", "sample"} or array of shape (n_clusters, n_features)
        The starting centres. "k-means||" draws about 2k rows in each of 5 passes in proportion to
        their squared distance to the nearest row drawn so far, and reduces them to k by their
        weights; "sample" runs k-means on a random sample that fits into memory.
    max_iter : int, default=20
        The largest number of iterations.
    tol : float, default=1e-4
        The end: the squared moves of all centres sum to at most ``tol`` times the mean variance of
        the columns.
    random_state : int, default=0
        The seed of the random draws.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    counts_ : ndarray of shape (n_clusters,)
        The rows of each cluster.
    inertia_ : float
        The sum of squared errors (SSE).
    n_iter_ : int
        The number of iterations.
    n_incomplete_ : int
        How many rows were left out because a value is missing.
    columns_ : tuple of str
        The columns that are used.

    Raises
    ------
    ValueError
        If there are fewer complete rows, or fewer distinct rows, than clusters.

    Notes
    -----
    A pass costs O(n k d); there is one for means and variances, six for "k-means||", one for each
    iteration, one for the inertia. The same centres to start from lead to those of
    :class:`dmlib.clustering.KMeans`. ``labels_`` would have one number for each row: ask
    ``predict`` block by block.

    References
    ----------
    S. P. Lloyd (1982), Least squares quantization in PCM.
    B. Bahmani, B. Moseley, A. Vattani, R. Kumar and S. Vassilvitskii (2012), Scalable k-means++.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 9.0, 10.0]})
    >>> model = KMeans(2, init=[[0.0], [1.0]], tol=0).fit(frame)
    >>> model.cluster_centers_.ravel().tolist(), model.inertia_, model.n_iter_
    ([0.5, 9.5], 1.0, 3)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 10_000),
        "init": Choice(("k-means||", "sample"), arrays=True),
        "max_iter": Integer(1, 10_000),
        "tol": Number(0.0, 1.0),
        "random_state": Integer(0, 2**32 - 1),
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        init: str | ArrayLike = "k-means||",
        max_iter: int = 20,
        tol: float = 1e-4,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, columns: Any = None) -> Self:
        """Find the centres of the rows of a large table (see :func:`open_table`); ``y`` is ignored.

        ``columns`` are those that count, by default all of numbers.
        """
        check_params(self.PARAMS, self.get_params())
        source = open_table(X)
        self.columns_ = source.select(columns, numeric=True)
        start = summarised(source, self.columns_, _complete_moments)
        n, origin = int(start.moments.n[0]), start.moments.mean
        self.n_incomplete_ = start.n - n
        if n < self.n_clusters:
            raise ValueError(f"{n} complete rows are too few for {self.n_clusters} clusters.")
        centers = first_centers(self, source, origin)
        threshold = self.tol * float(start.moments.variance().mean())
        for iteration in range(1, self.max_iter + 1):
            moved = origin + self._sums(source, centers, origin).means(centers - origin)
            shift, centers = float(((moved - centers) ** 2).sum()), moved
            self.n_iter_ = iteration
            if shift <= threshold:
                break
        end = self._sums(source, centers, origin)
        self.cluster_centers_, self.counts_, self.inertia_ = (
            centers,
            end.counts.astype(np.intp),
            end.inertia,
        )
        return self


@dataclass(frozen=True)
class _CompleteMoments:
    n: int
    moments: Moments

    def merge(self, following: _CompleteMoments) -> _CompleteMoments:
        return _CompleteMoments(self.n + following.n, self.moments.merge(following.moments))


def _complete_moments(block: pd.DataFrame, _start: int) -> _CompleteMoments:
    X = complete(numbers(block))
    no_rows = np.zeros(X.shape[1])
    return _CompleteMoments(
        len(block), Moments.of(X) if len(X) else Moments(no_rows, no_rows, no_rows)
    )


def assigned(block: pd.DataFrame, _start: int, *, centers: Floats, origin: Floats) -> ClusterSums:
    """Return the sufficient statistics of a block's clusters; ``centers`` are around the origin."""
    X = complete(numbers(block)) - origin
    k = len(centers)
    labels = pairwise_distances_argmin(X, centers) if len(X) else np.empty(0, np.intp)
    differences = X - centers[labels]
    distances = np.einsum("ij,ij->i", differences, differences)
    far = np.argpartition(-distances, min(k, len(X)) - 1)[:k] if len(X) else labels
    far = far[np.argsort(-distances[far], kind="stable")]
    sums: Floats = np.stack([np.bincount(labels, column, k) for column in X.T], axis=1)
    counts = np.bincount(labels, minlength=k).astype(float)
    return ClusterSums(counts, sums, float(distances.sum()), X[far], distances[far], labels[far])
