"""A parameter that is a clustering of another page, with the settings that it has there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dmlib.clustering.cluster_validity.clusterings import clusterings
from ui.tools.pick_model import PickModel

CLUSTERINGS: Mapping[str, Mapping[str, str]] = {
    "kmedoids": {"method": "Search", "metric": "Metric"},
    "kernel_kmeans": {
        "kernel": "Kernel",
        "gamma": "γ",
        "weighting": "Row weights",
        "init": "Initial centres",
    },
    "fuzzy_cmeans": {"m": "Fuzzifier m"},
    "hierarchical": {"linkage": "Linkage"},
    "gaussian_mixture": {"covariance_type": "Covariance type"},
    "spectral": {
        "affinity": "Similarity graph",
        "gamma": "γ (rbf)",
        "n_neighbors": "Neighbours k (knn)",
    },
    "dbscan": {"eps": "Neighbourhood radius ε (eps)", "min_samples": "Minimum neighbours"},
    "optics": {"min_samples": "Minimum neighbours", "xi": "Steepness ξ"},
}
"""Their most important parameters with labels, by the names of their pages; the number of clusters
is the page's."""


@dataclass(frozen=True)
class PickClustering(PickModel):
    """The settings of the clustering that a parameter names."""

    parameter: str = "clustering"
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: CLUSTERINGS)
    algorithms: Callable[[], Mapping[str, Any]] = clusterings
