"""Divisive clustering: split the cluster of the largest diameter until each row is alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import squareform
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.dendrogram import cut_tree
from dmlib.clustering.hierarchical.ranges import hierarchical_ranges
from dmlib.clustering.hierarchical.splits import (
    DivisiveClusteringStep,
    divisive_coefficient,
    splits,
    tree_of_splits,
)
from dmlib.clustering.hierarchical.trees import (
    METRICS,
    HierarchicalClustering,
    cophenetic_correlation,
)
from dmlib.params import Choice, Integer, Param, Ranges, check_params


class DivisiveClustering(HierarchicalClustering):
    r"""Split the cluster of the largest diameter again and again, and cut the tree (DIANA).

    At first all rows are one cluster. The row that is farthest from the others on average starts a
    splinter group. Then the row moves there whose mean distance to the other remaining rows exceeds
    that to the splinter group most, until no row is nearer to the splinter group.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters the cut leaves.
    metric : str, default="euclidean"
        The distance of two rows: "euclidean", "manhattan", "chebyshev", "cosine", "correlation" (1
        minus the correlation of their values) or "precomputed", where X is a symmetric matrix of
        distances.

    Attributes
    ----------
    linkage_ : ndarray of shape (n_samples - 1, 4)
        The splits, the last first, as merges in SciPy's format: the two nodes, the diameter of
        their cluster, and its number of rows.
    children_ : ndarray of shape (n_samples - 1, 2)
        The two nodes of each split; node n_samples + m is the cluster of row m of ``linkage_``.
    distances_ : ndarray of shape (n_samples - 1,)
        The diameters, ascending.
    divisive_coefficient_ : float
        The mean over the rows of 1 - h / H: h is the diameter of the cluster that the row leaves to
        be alone, H that of all rows. Near 1: clear groups.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    n_clusters_ : int
        The number of clusters.
    n_leaves_ : int
        The number of rows.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows than clusters, or more rows than memory allows.

    Notes
    -----
    O(n^2) memory; a split of m rows of which s move takes O(m^2 + s m) time, all splits together at
    worst O(n^3). Of the :math:`2^{m-1} - 1` ways to split m rows the best need not be found, since
    rows move one by one and never back.

    No split is higher than the one before it, so there are no inversions. Ties: the row, or the
    cluster, that comes first. R's ``cluster::diana`` has the same heights and coefficient.

    References
    ----------
    P. Macnaughton-Smith, W. T. Williams, M. B. Dale and L. G. Mockett (1964), Dissimilarity
    analysis: a new technique of hierarchical sub-division. L. Kaufman and P. J. Rousseeuw (1990),
    Finding groups in data, chapter 6.

    Examples
    --------
    >>> model = DivisiveClustering(2).fit([[0.0], [1.0], [5.0], [7.0]])
    >>> model.labels_.tolist(), model.distances_.tolist()
    ([1, 1, 0, 0], [1.0, 2.0, 7.0])
    >>> round(model.divisive_coefficient_, 4)
    0.7857
    """

    TITLE: ClassVar[str] = "divisive"
    RANGES: ClassVar[Ranges] = staticmethod(hierarchical_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 1_000_000, shown=(1, 12)),
        "metric": Choice(tuple(METRICS)),
    }

    def __init__(self, n_clusters: int = 2, *, metric: str = "euclidean") -> None:
        self.n_clusters = n_clusters
        self.metric = metric

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Build the tree of the rows of ``X`` and cut it; ``y`` is ignored."""
        rows = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        steps = splits(squareform(self._distances(rows)))
        self.linkage_: Floats = tree_of_splits([step for step in steps if step.phase == "split"])
        self.children_ = self.linkage_[:, :2].astype(np.intp)
        self.distances_ = self.linkage_[:, 2].copy()
        self.divisive_coefficient_ = divisive_coefficient(self.linkage_)
        self.n_leaves_, self.n_clusters_ = len(rows), self.n_clusters
        self.labels_ = cut_tree(self.linkage_, self.n_clusters)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[DivisiveClusteringStep]:
        """Yield the distances, the splits, of the first ones each row that moves, and the cut."""
        distances = self._distances(check_array(X, dtype=np.float64, ensure_min_samples=2))
        yield DivisiveClusteringStep("distances", 1, distances=distances)
        finished = []
        for step in splits(squareform(distances)):
            if step.phase == "split":
                finished.append(step)
            yield step
        tree = tree_of_splits(finished)
        yield DivisiveClusteringStep(
            "cut",
            self.n_clusters,
            tree=tree,
            labels=cut_tree(tree, self.n_clusters),
            divisive_coefficient=divisive_coefficient(tree),
            cophenetic_correlation=cophenetic_correlation(tree, distances),
        )

    def _check(self, n_samples: int) -> None:
        check_params(self.PARAMS, self.get_params() | {"metric": self._metric()})
        if n_samples < self.n_clusters:
            raise ValueError(
                f"n_clusters={self.n_clusters} needs at least as many rows, "
                f"but n_samples={n_samples}. Choose fewer clusters."
            )
        super()._check(n_samples)
