"""The clusterings of this package by name, as they are compared: with a number of clusters and a seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.utils import check_array, check_random_state

RANDOM = "random"
NAMES = (
    "kmeans",
    "bisecting_kmeans",
    "kmedoids",
    "kernel_kmeans",
    "fuzzy_cmeans",
    "hierarchical",
    "gaussian_mixture",
    "spectral",
    "dbscan",
    "optics",
    "xmeans",
    RANDOM,
)
"""What can be judged: the clusterings of this package, and random labels, which know nothing of the
rows."""
SPOKEN = {
    "kmeans": "k-means",
    "bisecting_kmeans": "bisecting k-means",
    "kmedoids": "k-medoids",
    "kernel_kmeans": "kernel k-means",
    "fuzzy_cmeans": "fuzzy c-means",
    "hierarchical": "agglomerative",
    "gaussian_mixture": "Gaussian mixture",
    "spectral": "spectral clustering",
    "dbscan": "DBSCAN",
    "optics": "OPTICS",
    "xmeans": "X-means",
    RANDOM: "random labels",
}
"""What a reader sees of the names."""
COUNTS = ("n_clusters", "n_components")


class RandomLabels(ClusterMixin, BaseEstimator):
    """Labels that are drawn at random: what a measure gives to a clustering that knows nothing.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of labels.
    random_state : int, RandomState or None, default=None
        The seed.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The labels; each occurs where there are rows enough.

    Examples
    --------
    >>> RandomLabels(2, random_state=0).fit([[0.0], [1.0], [2.0]]).labels_.tolist()
    [0, 0, 1]
    """

    def __init__(self, n_clusters: int = 3, *, random_state: Any = None) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Draw the labels; ``X`` only says how many."""
        n = len(check_array(X))
        rng = check_random_state(self.random_state)
        labels = np.concatenate(
            [
                np.arange(min(self.n_clusters, n)),
                rng.randint(self.n_clusters, size=max(n - self.n_clusters, 0)),
            ]
        )
        self.labels_: NDArray[np.intp] = np.unique(rng.permutation(labels), return_inverse=True)[1]
        return self


def clusterings() -> Mapping[str, Any]:
    """Return the classes of the clusterings by their names."""
    from dmlib.clustering import (
        DBSCAN,
        OPTICS,
        AgglomerativeClustering,
        BisectingKMeans,
        FuzzyCMeans,
        GaussianMixture,
        KernelKMeans,
        KMeans,
        KMedoids,
        SpectralClustering,
        XMeans,
    )

    found = (
        KMeans,
        BisectingKMeans,
        KMedoids,
        KernelKMeans,
        FuzzyCMeans,
        AgglomerativeClustering,
        GaussianMixture,
        SpectralClustering,
        DBSCAN,
        OPTICS,
        XMeans,
        RandomLabels,
    )
    return dict(zip(NAMES, found, strict=True))


def clustering_of(model: Any, n_clusters: int, random_state: Any = None) -> Any:
    """Return a fresh, unfitted clustering by its name, or a copy of one, with this number of clusters if it has one.

    Examples
    --------
    >>> clustering_of("kmedoids", 4).n_clusters, clustering_of("dbscan", 4).eps
    (4, 0.5)
    """
    made = clusterings()[model]() if isinstance(model, str) else clone(model)
    params = made.get_params(deep=False)
    settings: dict[str, Any] = {name: n_clusters for name in COUNTS if name in params}
    if "random_state" in params and params["random_state"] is None:
        settings["random_state"] = random_state
    if "n_init" in params and isinstance(model, str):
        settings["n_init"] = max(10, params["n_init"])
    return made.set_params(**settings)


def counts_clusters(model: Any) -> bool:
    """Return whether a clustering is told the number of clusters."""
    made = clusterings()[model]() if isinstance(model, str) else model
    return bool({*COUNTS} & set(made.get_params(deep=False)))


def name_of(model: Any) -> str:
    """Return what a reader sees of a clustering.

    Examples
    --------
    >>> name_of("dbscan"), name_of(RandomLabels(5))
    ('DBSCAN', 'random labels')
    """
    names = {made: name for name, made in clusterings().items()}
    name = model if isinstance(model, str) else names.get(type(model), type(model).__name__)
    return SPOKEN.get(name, name)
