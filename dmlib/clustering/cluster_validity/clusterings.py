"""Clusterings of tables by name, as they are compared: with a number of clusters and a seed.

An estimator that the family exports is one of them if it has a ``TITLE``; its ``KEY_PARAMS`` are
those that can be set where it is compared.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module, resources
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.utils import check_array, check_random_state

COUNTS = ("n_clusters", "n_components")


class RandomLabels(ClusterMixin, BaseEstimator):
    """Random labels: the baseline of a measure.

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

    TITLE: ClassVar[str] = "random labels"

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


def _exports() -> Iterator[tuple[str, str]]:
    """Yield the modules and names that the family exports, those of this folder excepted."""
    stub = resources.files("dmlib.clustering").joinpath("__init__.pyi").read_text("utf-8")
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ImportFrom) and not str(node.module).startswith("cluster_validity"):
            yield from ((str(node.module), alias.name) for alias in node.names)


@cache
def clusterings() -> Mapping[str, Any]:
    """Return the classes of the clusterings by the names of their folders or modules.

    Examples
    --------
    >>> [name for name, clustering in clusterings().items() if "means" in clustering.TITLE]
    ['kernel_kmeans', 'fuzzy_cmeans', 'kmeans', 'bisecting_kmeans', 'xmeans']
    """
    classes = {}
    for module, export in _exports():
        clustering = getattr(import_module(f"dmlib.clustering.{module}"), export)
        if "TITLE" in vars(clustering):  # a subclass does not inherit it
            folder, _, file = module.rpartition(".")
            classes[folder if file == "algorithm" else file] = clustering
    return classes | {"random": RandomLabels}


TITLES: Mapping[str, str] = {name: clustering.TITLE for name, clustering in clusterings().items()}
"""The names of the clusterings as a reader sees them."""


def key_params() -> Mapping[str, Mapping[str, str]]:
    """Return the most important parameters of each clustering that has some, with labels."""
    return {
        name: clustering.KEY_PARAMS
        for name, clustering in clusterings().items()
        if hasattr(clustering, "KEY_PARAMS")
    }


def clustering_of(model: Any, n_clusters: int, random_state: Any = None) -> Any:
    """Return an unfitted clustering by name, or a copy of one, with a number of clusters.

    Examples
    --------
    >>> clustering_of("kmedoids", 4).n_clusters, clustering_of("dbscan", 4).eps
    (4, 0.5)
    """
    clustering = clusterings()[model]() if isinstance(model, str) else clone(model)
    params = clustering.get_params(deep=False)
    settings: dict[str, Any] = {name: n_clusters for name in COUNTS if name in params}
    if "random_state" in params and params["random_state"] is None:
        settings["random_state"] = random_state
    if "n_init" in params and isinstance(model, str):
        settings["n_init"] = max(10, params["n_init"])
    return clustering.set_params(**settings)


def counts_clusters(model: Any) -> bool:
    """Return whether a clustering takes the number of clusters."""
    clustering = clusterings()[model]() if isinstance(model, str) else model
    return not {*COUNTS}.isdisjoint(clustering.get_params(deep=False))


def name_of(model: Any) -> str:
    """Return the name of a clustering as a reader sees it.

    Examples
    --------
    >>> name_of("dbscan"), name_of(RandomLabels(5))
    ('DBSCAN', 'random labels')
    """
    if isinstance(model, str):
        return TITLES.get(model, model)
    title: str = vars(type(model)).get("TITLE", type(model).__name__)
    return title
