"""Clusters that are read off a hierarchy at a height, in the form that fitted clusterings have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.cached import cached_property


@dataclass(frozen=True)
class Clusters:
    """The cluster of each row.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The number of the cluster, -1 for noise.
    n_clusters_, n_noise_ : int
        How many clusters and how many noise points there are.

    Examples
    --------
    >>> clusters = Clusters(np.array([0, 0, 1, -1]))
    >>> clusters.n_clusters_, clusters.n_noise_
    (2, 1)
    """

    labels_: NDArray[np.integer[Any]]

    @cached_property
    def n_clusters_(self) -> int:
        """The number of clusters."""
        return len(np.unique(self.labels_[self.labels_ >= 0]))

    @cached_property
    def n_noise_(self) -> int:
        """The number of noise points."""
        return int((self.labels_ < 0).sum())
