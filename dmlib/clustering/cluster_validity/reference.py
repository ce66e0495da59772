"""The chosen measure of the run's own clusters by scikit-learn, SciPy and numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import EXTERNAL, HOPKINS, ClusterValidity
from dmlib.clustering.cluster_validity.internal import SEPARATIONS
from dmlib.clustering.cluster_validity.links import LINKS, NORMALIZED_CUT
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

Labels = NDArray[np.integer[Any]]

FUNCTIONS = {
    "silhouette": "silhouette_score",
    "calinski_harabasz": "calinski_harabasz_score",
    "davies_bouldin": "davies_bouldin_score",
    "nmi": "normalized_mutual_info_score",
    "v_measure": "v_measure_score",
    "rand": "rand_score",
    "adjusted_rand": "adjusted_rand_score",
    "fowlkes_mallows": "fowlkes_mallows_score",
}
"""The functions of scikit-learn."""
PROBES = "the probes of Hopkins' statistic are random; its tests compute it probe by probe."


def internal_score(X: Floats, labels: Labels, name: str) -> Answers:
    """Measure the clusters by a function of scikit-learn; noise is left out."""
    from sklearn import metrics

    from dmlib.comparison import Answers

    inside = labels >= 0
    value = getattr(metrics, name)(X[inside], labels[inside])
    return Answers(f"sklearn.metrics.{name}", {"value_": value})


def external_score(y: Labels, labels: Labels, name: str) -> Answers:
    """Compare the clusters with the known classes by a function of scikit-learn."""
    from sklearn import metrics

    from dmlib.comparison import Answers

    value = getattr(metrics, name)(y, labels)
    return Answers(f"sklearn.metrics.{name}", {"value_": value})


def sum_of_squares(X: Floats, labels: Labels) -> Answers:
    """Add up the squared distances to the means of the clusters."""
    from dmlib.comparison import Answers

    groups = [X[labels == label] for label in np.unique(labels[labels >= 0])]
    value = sum(((rows - rows.mean(axis=0)) ** 2).sum() for rows in groups)
    return Answers("numpy", {"value_": value})


def matrix_correlation(X: Floats, labels: Labels) -> Answers:
    """Correlate the similarity of two rows with being in one cluster."""
    from sklearn.metrics import pairwise_distances

    from dmlib.comparison import Answers

    rows, codes = X[labels >= 0], labels[labels >= 0]
    pairs = np.triu_indices(len(rows), 1)
    same = codes[:, None] == codes
    value = -np.corrcoef(pairwise_distances(rows)[pairs], same[pairs])[0, 1]
    return Answers("numpy.corrcoef", {"value_": value})


def dunn_index(X: Floats, labels: Labels) -> Answers:
    """Divide the smallest separation of two clusters by the largest diameter of one."""
    from sklearn.metrics import pairwise_distances

    from dmlib.comparison import Answers

    rows, codes = X[labels >= 0], labels[labels >= 0]
    D, same = pairwise_distances(rows), codes[:, None] == codes
    value = D[~same].min() / D[same].max() if D[same].any() else np.inf
    return Answers("sklearn.metrics.pairwise_distances", {"value_": value})


def jaccard_index(y: Labels, labels: Labels) -> Answers:
    """Divide the pairs that are together in both partitions by those together in either."""
    from sklearn.metrics.cluster import pair_confusion_matrix

    from dmlib.comparison import Answers

    (_, fp), (fn, tp) = pair_confusion_matrix(y, labels)
    value = tp / (tp + fp + fn) if tp + fp + fn else 1.0
    return Answers("sklearn.metrics.cluster.pair_confusion_matrix", {"value_": value})


def purity(y: Labels, labels: Labels) -> Answers:
    """Return the fraction of rows that are of the most frequent class of their cluster."""
    from sklearn.metrics.cluster import contingency_matrix

    from dmlib.comparison import Answers

    table = contingency_matrix(y, labels)
    value = table.max(axis=0).sum() / table.sum()
    return Answers("sklearn.metrics.cluster.contingency_matrix", {"value_": value})


def mean_entropy(y: Labels, labels: Labels) -> Answers:
    """Return the mean entropy of the classes in the clusters, in bits."""
    from scipy.stats import entropy
    from sklearn.metrics.cluster import contingency_matrix

    from dmlib.comparison import Answers

    table = contingency_matrix(y, labels)
    value = (entropy(table, base=2) * table.sum(axis=0)).sum() / table.sum()
    return Answers("scipy.stats.entropy", {"value_": value})


def mean_gini(y: Labels, labels: Labels) -> Answers:
    """Return the mean Gini impurity of the classes in the clusters."""
    from sklearn.metrics.cluster import contingency_matrix

    from dmlib.comparison import Answers

    table = contingency_matrix(y, labels)
    sizes = table.sum(axis=0)
    value = (sizes - (table**2).sum(axis=0) / sizes).sum() / sizes.sum()
    return Answers("sklearn.metrics.cluster.contingency_matrix", {"value_": value})


def sum_of_separations(X: Floats, labels: Labels, separation: str) -> Answers:
    """Add up the distances of all pairs of clusters, by SciPy's distances."""
    from itertools import combinations

    from scipy.spatial.distance import cdist

    from dmlib.comparison import Answers

    groups = [X[labels == label] for label in np.unique(labels[labels >= 0])]
    if separation == "centroid":
        groups = [rows.mean(axis=0, keepdims=True) for rows in groups]
    reduce = {"max": np.max, "min": np.min}.get(separation, np.mean)
    value = sum(reduce(cdist(p, q)) for p, q in combinations(groups, 2))
    return Answers("scipy.spatial.distance.cdist", {"value_": value})


def sum_of_links(X: Floats, labels: Labels, links: str) -> Answers:
    """Add up the squared distances of pairs of rows, within the clusters or between them."""
    from sklearn.metrics import pairwise_distances

    from dmlib.comparison import Answers

    rows, codes = X[labels >= 0], labels[labels >= 0]
    squares, same = pairwise_distances(rows, metric="sqeuclidean"), codes[:, None] == codes
    weights = same.sum(axis=1) if links == "within_by_size" else np.ones(len(rows))
    counted = ~same if links == "between" else same
    value = (squares * counted).sum(axis=1) @ (1 / weights) / 2
    return Answers("sklearn.metrics.pairwise_distances", {"value_": value})


def cut_of_neighbors(X: Floats, labels: Labels, n_neighbors: int) -> Answers:
    """Cut the graph of scikit-learn's nearest neighbours, by networkx's normalised cuts."""
    import networkx as nx
    from sklearn.neighbors import kneighbors_graph

    from dmlib.comparison import Answers

    rows, codes = X[labels >= 0], labels[labels >= 0]
    A = kneighbors_graph(rows, min(n_neighbors + 1, len(rows)), include_self=True).toarray()
    np.fill_diagonal(A, 0)
    G = nx.from_numpy_array((A + A.T) / 2)
    shares = []
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        cut = nx.cut_size(G, members, weight="weight")
        shares.append(cut / nx.volume(G, members, weight="weight"))
    return Answers("networkx.cut_size", {"value_": np.mean(shares)})


OWN: dict[str, Callable[..., Answers]] = {
    "sse": sum_of_squares,
    "correlation": matrix_correlation,
    "dunn": dunn_index,
    "jaccard": jaccard_index,
    "purity": purity,
    "entropy": mean_entropy,
    "gini": mean_gini,
}
"""Measures that have no function in scikit-learn."""


def validity_reference(run: Run[Problem, ClusterValidity]) -> Reference:
    """Return the chosen measure of the run's own clusters.

    Raises
    ------
    Incomparable
        If it is not defined, or random.
    """
    if reason := run.trace.steps[-1].reason:
        raise Incomparable(reason[0].lower() + reason[1:])
    measure = run.model.measure
    if measure == HOPKINS:
        raise Incomparable(PROBES)
    data = ("y" if measure in EXTERNAL else "X", "model.labels_")
    if measure in OWN:
        return Reference(OWN[measure], *data)
    if measure in SEPARATIONS:
        separation = measure.removeprefix("separation_")
        return Reference(sum_of_separations, *data, separation=separation)
    if measure in LINKS:
        return Reference(sum_of_links, *data, links=measure.removeprefix("links_"))
    if measure == NORMALIZED_CUT:
        return Reference(cut_of_neighbors, *data, n_neighbors=run.model.n_neighbors)
    score = external_score if measure in EXTERNAL else internal_score
    return Reference(score, *data, name=FUNCTIONS[measure])
