"""Agglomerative clustering: merge the two nearest clusters until one is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.cluster import hierarchy
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.dendrogram import SQUARED, clusters_below, cut_tree
from dmlib.clustering.hierarchical.merges import AgglomerativeClusteringStep, replayed_merges
from dmlib.clustering.hierarchical.ranges import hierarchical_ranges
from dmlib.clustering.hierarchical.trees import (
    METRICS,
    HierarchicalClustering,
    cophenetic_correlation,
)
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params


class AgglomerativeClustering(HierarchicalClustering):
    r"""Merge the two nearest clusters again and again, and cut the tree of merges.

    At first every row is a cluster. The linkage says how far two clusters are apart; after each
    merge the distances to the new cluster follow from the old ones by the formula of Lance and
    Williams.

    Parameters
    ----------
    n_clusters : int or None, default=2
        How many clusters the cut leaves; None with a ``distance_threshold``.
    linkage : {"ward", "complete", "average", "single", "centroid"}, default="ward"
        The distance of two clusters: of their nearest rows ("single"), of their farthest rows
        ("complete"), the mean over all pairs of rows ("average"), the distance of their centroids
        ("centroid"), or the square root of twice what their merge adds to the sum of squared errors
        ("ward").
    metric : str, default="euclidean"
        The distance of two rows: "euclidean", "manhattan", "chebyshev", "cosine", "correlation" (1
        minus the correlation of their values) or "precomputed", where X is a symmetric matrix of
        distances. "centroid" and "ward" need "euclidean". "l1" and "l2" are other names of
        "manhattan" and "euclidean".
    distance_threshold : float or None, default=None
        Clusters at this distance or farther apart are not merged; then ``n_clusters`` must be None.
    compute_full_tree : {"auto", True, False}, default="auto"
        The whole tree is always computed; taken so that code for scikit-learn runs.
    compute_distances : bool, default=True
        The distances are always kept; taken so that code for scikit-learn runs.

    Attributes
    ----------
    linkage_ : ndarray of shape (n_samples - 1, 4)
        The tree in SciPy's format: for each merge the two nodes, their distance, and the number of
        rows.
    children_ : ndarray of shape (n_samples - 1, 2)
        The two nodes of each merge; node n_samples + m is the cluster of merge m.
    distances_ : ndarray of shape (n_samples - 1,)
        The distance of the two.
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
        If there are fewer rows than clusters, more rows than memory allows, or a metric that does
        not fit the linkage.

    Notes
    -----
    O(n^2) memory and time, for "centroid" at worst O(n^3) time: the tree is SciPy's, and the steps
    replay its merges by the formula. The rows of a step that change are kept, so all steps together
    take about as much memory as the distance matrix.

    Ties: of pairs that are equally near, SciPy's choice is taken, and another choice may give
    another tree; a step says how many there were. Inversions: two centroids may come nearer by a
    merge, so with "centroid" a merge can lie lower than one before it; a cut at a height then
    counts it as high as that one.

    Heights are plain distances, also for "centroid" and "ward" (R's ``"ward.D2"``; for R's
    ``"centroid"`` square the distances first).

    References
    ----------
    G. N. Lance and W. T. Williams (1967), A general theory of classificatory sorting strategies,
    equation 1. J. H. Ward (1963), Hierarchical grouping to optimize an objective function. D.
    Müllner (2011), Modern hierarchical, agglomerative clustering algorithms, section 2.

    Examples
    --------
    >>> model = AgglomerativeClustering(2, linkage="single").fit([[0.0], [1.0], [5.0], [7.0]])
    >>> model.labels_.tolist(), model.distances_.tolist()
    ([1, 1, 0, 0], [1.0, 2.0, 4.0])
    >>> model.cut(1.5).tolist()
    [0, 0, 2, 1]
    """

    TITLE: ClassVar[str] = "agglomerative"
    KEY_PARAMS: ClassVar[Mapping[str, str]] = {"linkage": "Linkage"}
    RANGES: ClassVar[Ranges] = staticmethod(hierarchical_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 1_000_000, shown=(1, 12)),
        "linkage": Choice(("ward", "complete", "average", "single", "centroid")),
        "metric": Choice(tuple(METRICS)),
    }

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        linkage: str = "ward",
        metric: str = "euclidean",
        distance_threshold: float | None = None,
        compute_full_tree: str | bool = "auto",
        compute_distances: bool = True,
    ) -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.metric = metric
        self.distance_threshold = distance_threshold
        self.compute_full_tree = compute_full_tree
        self.compute_distances = compute_distances

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Build the tree of the rows of ``X`` and cut it; ``y`` is ignored."""
        rows = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self.linkage_: Floats = hierarchy.linkage(self._distances(rows), self.linkage)
        self.children_ = self.linkage_[:, :2].astype(np.intp)
        self.distances_ = self.linkage_[:, 2].copy()
        self.n_leaves_ = len(rows)
        self.n_clusters_ = self._count(self.linkage_)
        self.labels_ = cut_tree(self.linkage_, self.n_clusters_)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[AgglomerativeClusteringStep]:
        """Yield the distances, every merge, and the cut; the merges are those of ``linkage_``."""
        distances = self._distances(check_array(X, dtype=np.float64, ensure_min_samples=2))
        tree = hierarchy.linkage(distances, self.linkage)
        yield AgglomerativeClusteringStep("distances", len(tree) + 1, distances=distances)
        yield from replayed_merges(distances, tree, self.linkage)
        n_clusters = self._count(tree)
        yield AgglomerativeClusteringStep(
            "cut",
            n_clusters,
            labels=cut_tree(tree, n_clusters),
            cophenetic_correlation=cophenetic_correlation(tree, distances),
        )

    def _check(self, n_samples: int) -> None:
        """Check the parameters against each other and the number of rows."""
        threshold = self.distance_threshold
        if (self.n_clusters is None) == (threshold is None):
            raise ValueError(
                "n_clusters must be a whole number or distance_threshold a number; "
                f"they were {self.n_clusters!r} and {threshold!r}. Exactly one of "
                "n_clusters and distance_threshold has to be set, the other to None."
            )
        if threshold is not None:
            check_params(
                {"distance_threshold": Number(0, np.inf)}, {"distance_threshold": threshold}
            )
            if not self.compute_full_tree:
                raise ValueError("compute_full_tree must be True if distance_threshold is set.")
        own = {
            "metric": self._metric(),
            "n_clusters": 1 if self.n_clusters is None else self.n_clusters,
        }
        check_params(self.PARAMS, self.get_params() | own)
        if n_samples < own["n_clusters"]:
            raise ValueError(
                f"n_clusters={self.n_clusters} needs at least as many rows, "
                f"but n_samples={n_samples}. Choose fewer clusters."
            )
        if self.linkage in SQUARED and (
            self._metric() != "euclidean" or self.metric == "precomputed"
        ):
            raise ValueError(
                f"linkage={self.linkage!r} is about means of rows, "
                f"so it needs the Euclidean distance of rows; metric was {self.metric!r}. "
                "Choose metric='euclidean', or the linkage 'average', 'complete' or 'single'."
            )
        super()._check(n_samples)

    def _count(self, tree: Floats) -> int:
        if self.distance_threshold is None:
            return int(self.n_clusters or 1)
        return clusters_below(tree, self.distance_threshold)
