"""A parameter that is a clustering of another page, with the settings that it has there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dashboard.tools.pick_model import PickModel
from dmlib.clustering.cluster_validity.clusterings import clusterings, key_params


@dataclass(frozen=True)
class PickClustering(PickModel):
    """The settings, but for the number of clusters, of the clustering that a parameter names."""

    parameter: str = "clustering"
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=key_params)
    algorithms: Callable[[], Mapping[str, Any]] = clusterings
