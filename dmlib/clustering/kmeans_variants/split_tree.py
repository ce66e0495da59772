"""The splits of bisecting k-means as a tree, as high as the SSE of the clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeansStep as Step


@dataclass(frozen=True)
class SplitTree:
    """The kept splits of a run of bisecting k-means.

    Attributes
    ----------
    clusters : tuple of int
        The cluster that each split divides.
    linkage : ndarray of shape (n_splits, 4)
        The splits, the last first, as merges in SciPy's format. A merge is as high as the SSE of
        the cluster that is split; the sizes count clusters.
    heights : ndarray of shape (2 * n_splits + 1,)
        The SSE of each node: of the clusters after the last split, then of those that were split.
    """

    clusters: tuple[int, ...]
    linkage: Floats
    heights: Floats

    @classmethod
    def of(cls, steps: Sequence[Step]) -> SplitTree:
        """Return the tree of the splits among the steps of a run.

        Examples
        --------
        >>> from dmlib.clustering import BisectingKMeans
        >>> X = np.array([[0.0], [1.0], [10.0], [11.0], [30.0]])
        >>> steps = list(BisectingKMeans(3, init="farthest", random_state=0).steps(X))
        >>> SplitTree.of(steps).linkage.round(1).tolist()
        [[1.0, 2.0, 101.0, 2.0], [0.0, 3.0, 581.2, 3.0]]
        """
        splits = [step for step in steps if step.phase == "split"]
        parents = [steps[0], *splits]
        clusters = tuple(cast(int, step.cluster) for step in splits)
        n_leaves = len(parents)
        top, sizes = np.arange(n_leaves), np.ones(n_leaves)
        linkage = np.empty((len(splits), 4))
        for m, new in enumerate(range(len(splits), 0, -1)):
            cluster = clusters[new - 1]
            sizes[cluster] += sizes[new]
            linkage[m] = top[cluster], top[new], parents[new - 1].inertias[cluster], sizes[cluster]
            top[cluster] = n_leaves + m
        return cls(clusters, linkage, np.append(parents[-1].inertias, linkage[:, 2]))

    def nodes(self, n_splits: int) -> list[int]:
        """Return the node of each cluster after so many splits.

        Examples
        --------
        >>> SplitTree((0, 0), np.empty((2, 4)), np.empty(5)).nodes(1)
        [3, 1]
        """
        last = len(self.clusters)
        nodes = list(range(n_splits + 1))
        for number in range(last, n_splits, -1):
            if (cluster := self.clusters[number - 1]) <= n_splits:
                nodes[cluster] = 2 * last + 1 - number
        return nodes
