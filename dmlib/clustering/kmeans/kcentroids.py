"""k-means by another distance: k-medians, spherical k-means and k-means by correlation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.kmeans.metric_partition import MetricPartition, distances_between
from dmlib.clustering.neighbors import refuse_constant_rows
from dmlib.params import Choice, Integer, Number, Param


class KCentroids(KMeans):
    r"""Find k centres that make the sum of distances to the nearest centre small.

    The assignment is that of k-means, by another distance. The mean minimises squared Euclidean
    distances alone, so the centre changes with the distance: for "manhattan" it is the median of
    each column (k-medians), for "cosine" the mean of the rows at length 1, itself at length 1
    (spherical k-means). "correlation" is the same of centred rows, from each of which its own mean
    was taken: rows of one shape are together, whatever their level and their spread.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters, k.
    metric : {"manhattan", "cosine", "correlation"}, default="manhattan"
        The distance of a row and a centre: the sum of the absolute differences, 1 minus the cosine
        of their angle, or 1 minus Pearson's correlation.
    init : str or array of shape (n_clusters, n_features), default="k-means++"
        The starting centres. "k-means++" draws rows in proportion to their distance to the nearest
        centre chosen so far; "random" draws distinct rows; "farthest" starts at a random row and
        then always takes the row farthest from the centres chosen so far; "partition" divides all
        rows at random into parts of equal size, whose means are the centres; "points" takes the
        centres that you give as an array.
    n_init : int, default=1
        How many restarts; the one with the smallest sum of distances is kept.
    max_iter : int, default=300
        The largest number of iterations in one restart.
    change_tol : float, default=0.0
        A restart also ends when at most this share of the rows changes its cluster.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres; by "cosine" and "correlation" of length 1, by "correlation" of mean 0.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The sum of the distances of the rows to their centres.
    n_iter_ : int
        The number of iterations of the best restart.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows, or fewer distinct rows, than clusters; by "cosine", if a row is 0;
        by "correlation", if all numbers of a row are equal, or of two columns for more than two
        clusters.

    Notes
    -----
    O(n k d) for an assignment, O(n d log n) for medians. Neither half-step can raise the sum of
    distances: the median minimises :math:`\sum |x - c|`, and of all directions c that of the sum of
    the unit rows maximises :math:`\sum x \cdot c`. A restart ends when no label changes. For
    rows and centres of length 1 the distance is half of the squared Euclidean one.

    References
    ----------
    F. Leisch (2006), A toolbox for k-centroids cluster analysis. I. S. Dhillon and D. S. Modha
    (2001), Concept decompositions for large sparse text data using clustering.

    Examples
    --------
    >>> X = [[0.0], [1.0], [30.0], [100.0], [101.0]]
    >>> model = KCentroids(2, init=[[0.0], [100.0]]).fit(X)
    >>> model.cluster_centers_.ravel().tolist(), model.inertia_
    ([1.0, 100.5], 31.0)
    """

    TITLE: ClassVar[str] = "k-medians"
    tol = 0.0
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "metric": Choice(("manhattan", "cosine", "correlation")),
        "init": Choice(("k-means++", "random", "farthest", "partition", "points"), arrays=True),
        "n_init": Integer(1, 100, shown=(1, 20)),
        "max_iter": Integer(1, 10_000, shown=(1, 20)),
        "change_tol": Number(0.0, 1.0, shown=(0.0, 0.2), step=0.01),
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        metric: str = "manhattan",
        init: str | ArrayLike = "k-means++",
        n_init: int = 1,
        max_iter: int = 300,
        change_tol: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.change_tol = change_tol
        self.random_state = random_state

    def transform(self, X: ArrayLike) -> Floats:
        """Return the distance of each row to each centre, of shape (n_samples, n_clusters)."""
        return distances_between(self._new_rows(X), self.cluster_centers_, self.metric)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return minus the sum of the distances of the rows to their nearest centres."""
        return -float(self.transform(X).min(axis=1).sum())

    def prepared(self, X: Floats) -> Floats:
        """Return the rows as they are clustered: by "cosine" and "correlation" at length 1.

        Raises
        ------
        ValueError
            If a row has no direction, or does not vary.
        """
        if self.metric == "manhattan":
            return X
        if self.metric == "correlation":
            refuse_constant_rows(X)
            X = X - X.mean(axis=1, keepdims=True)
        lengths = np.linalg.norm(X, axis=1, keepdims=True)
        if not lengths.all():
            raise ValueError(
                "A row of zeros has no direction, so it has no cosine. Choose the Manhattan "
                "distance, or leave such rows out."
            )
        directions: Floats = X / lengths
        return directions

    def _steps(self, X: Floats) -> Iterator[Any]:
        self._check(X)
        yield from super()._steps(self.prepared(X))

    def _check(self, X: Floats) -> Floats | None:
        if self.metric == "correlation" and X.shape[1] == 2 and self.n_clusters > 2:
            raise ValueError(
                "With two columns a row can only rise or fall: every correlation is 1 or −1, and "
                "there are at most two clusters. Use more columns, or at most two clusters."
            )
        centers = super()._check(X)
        return None if centers is None else self.prepared(centers)

    def _partition(self, X: Floats) -> MetricPartition:
        return MetricPartition(X, self.n_clusters, self.metric)

    def _distances(self, X: Floats, row: int) -> Floats:
        return distances_between(X, X[[row]], self.metric)[:, 0]
