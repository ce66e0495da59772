"""k-means by small random batches."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.cluster import kmeans_plusplus
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_array

from dmlib.arrays import Floats
from dmlib.large.blocks import complete, numbers
from dmlib.large.kmeans import LargeClustering
from dmlib.large.sampling import sample
from dmlib.large.source import open_table
from dmlib.params import Choice, Integer, Param, check_params
from dmlib.trace import look

FIRST = 20  # rows for each cluster among which the first centres are chosen, and at least a batch


class MiniBatchKMeans(LargeClustering):
    r"""Find k centres by small random batches in one pass, and their error in another.

    Each batch assigns its rows to their nearest centres; then each centre moves towards the mean of
    its rows by their share of all rows it was ever given: :math:`c \leftarrow c + (m / v)(\bar x -
    c)`, where m rows of the batch and v of all batches so far are its own. That is Sculley's
    update, row by row with the rate 1/v.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters, k.
    init : {"k-means++"} or array of shape (n_clusters, n_features)
        The starting centres, chosen among the first rows drawn, or given.
    batch_size : int, default=1024
        The number of rows in a batch.
    max_iter : int, default=100
        The number of batches; ``batch_size`` times ``max_iter`` rows are in memory.
    random_state : int, default=0
        The seed of the random draws.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    counts_ : ndarray of shape (n_clusters,)
        The rows of the table in each cluster.
    inertia_ : float
        The sum of squared errors (SSE) of the whole table.
    n_steps_ : int
        The number of batches.
    columns_ : tuple of str
        The columns that are used.

    Raises
    ------
    ValueError
        If there are fewer complete rows than clusters.

    Notes
    -----
    The batches are drawn without replacement from the whole table in one pass; where it has fewer
    rows than the batches need, there are fewer batches. O(n k d) for the error, the rest does not
    depend on n.

    References
    ----------
    D. Sculley (2010), Web-scale k-means clustering, algorithm 1.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 9.0, 10.0]})
    >>> model = MiniBatchKMeans(2, init=[[0.0], [10.0]], batch_size=4).fit(frame)
    >>> model.cluster_centers_.ravel().tolist(), model.inertia_
    ([0.5, 9.5], 1.0)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 10_000),
        "init": Choice(("k-means++",), arrays=True),
        "batch_size": Integer(1, 1_000_000),
        "max_iter": Integer(1, 100_000),
        "random_state": Integer(0, 2**32 - 1),
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        init: Any = "k-means++",
        batch_size: int = 1024,
        max_iter: int = 100,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, columns: Any = None) -> Self:
        """Find the centres of the rows of a large table (see :func:`open_table`); ``y`` is ignored.

        ``columns`` are those that count, by default all of numbers.
        """
        check_params(self.PARAMS, self.get_params())
        source = open_table(X)
        self.columns_ = source.select(columns, numeric=True)
        n = self.batch_size * self.max_iter
        random_rows = sample(
            source, n, columns=self.columns_, random_state=self.random_state, shuffled=True
        )
        rows = complete(numbers(random_rows))
        if len(rows) < self.n_clusters:
            raise ValueError(
                f"{len(rows)} complete rows are too few for {self.n_clusters} clusters."
            )
        origin = rows[0]
        centers = self._walked(rows - origin, self._first(rows) - origin) + origin
        end = self._sums(source, centers, origin)
        self.cluster_centers_, self.counts_, self.inertia_ = (
            centers,
            end.counts.astype(np.intp),
            end.inertia,
        )
        return self

    def _first(self, rows: Floats) -> Floats:
        """Return the starting centres."""
        if isinstance(self.init, str):
            first_rows = rows[: max(self.batch_size, FIRST * self.n_clusters)]
            chosen, _ = kmeans_plusplus(
                first_rows, self.n_clusters, random_state=np.random.RandomState(self.random_state)
            )
            return np.asarray(chosen)
        start_centers: Floats = check_array(self.init, dtype=np.float64)
        if start_centers.shape != (needed := (self.n_clusters, rows.shape[1])):
            raise ValueError(
                f"The starting centres have shape {start_centers.shape}; they need {needed}."
            )
        return start_centers

    def _walked(self, rows: Floats, centers: Floats) -> Floats:
        """Return the centres after all batches."""
        n_seen = np.zeros(len(centers))
        self.n_steps_ = 0
        for start in range(0, len(rows), self.batch_size):
            look()
            batch = rows[start : start + self.batch_size]
            labels = pairwise_distances_argmin(batch, centers)
            counts = np.bincount(labels, minlength=len(centers))
            sums = np.stack(
                [np.bincount(labels, column, len(centers)) for column in batch.T], axis=1
            )
            n_seen += counts
            centers = centers + (sums - counts[:, None] * centers) / np.maximum(n_seen, 1)[:, None]
            self.n_steps_ += 1
        return centers
