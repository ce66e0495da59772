"""Prediction and distances of clusterings with centres."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.squares import finite_values

Labels = NDArray[np.int32]


class CentroidClustering(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator
):
    """A clustering that is described by its centres, ``cluster_centers_``."""

    cluster_centers_: Floats
    labels_: Labels
    inertia_: float

    def predict(self, X: ArrayLike) -> Labels:
        """Return the nearest centre of each row."""
        labels: Labels = np.argmin(self.transform(X), axis=1).astype(np.int32)
        return labels

    def transform(self, X: ArrayLike) -> Floats:
        """Return the distance of each row to each centre, of shape (n_samples, n_clusters)."""
        rows = self._new_rows(X)
        return finite_values(lambda: np.asarray(euclidean_distances(rows, self.cluster_centers_)))

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return minus the sum of squared distances of the rows to their nearest centres."""
        return -float((self.transform(X).min(axis=1) ** 2).sum())

    def _new_rows(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows: Floats = validate_data(self, X, dtype=np.float64, reset=False)
        return rows

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)
