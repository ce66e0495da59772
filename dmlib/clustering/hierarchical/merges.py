"""The merges of a tree, one step each, with the distances that they change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import squareform

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.dendrogram import Labels, merged_distances
from dmlib.trace import look

TIE = 1e-12  # distances that differ by less, relatively, are equal but for rounding

Phase = Literal["distances", "merge", "cut"]


@dataclass(frozen=True)
class AgglomerativeClusteringStep:
    """One step of agglomerative clustering.

    Attributes
    ----------
    phase : {"distances", "merge", "cut"}
        What was done: all distances measured; two clusters merged; the finished tree cut.
    n_clusters : int
        How many clusters there are after the step.
    pair : tuple of (int, int) or None
        The two nodes that a "merge" joins, in SciPy's numbering: the rows are 0 to n_samples - 1,
        and the cluster of merge m (from 0) is n_samples + m.
    node : int or None
        The node that they become.
    height : float
        The distance of the two; NaN but for a "merge".
    sizes : tuple of (int, int)
        The numbers of rows of the two.
    remaining : ndarray of shape (n_others,) or None
        The nodes of the other clusters.
    other_sizes : ndarray of shape (n_others,)
        Their numbers of rows.
    before : ndarray of shape (2, n_others)
        Their distances to the two before the merge: the two rows that leave the distance matrix.
    after : ndarray of shape (n_others,)
        Their distances to the new cluster: the row that comes in. No other distance changes.
    n_ties : int
        How many other pairs were just as near.
    inverted : bool
        Whether the merge lies lower than one inside it, which can happen with "centroid" alone.
    distances : ndarray of shape (n_samples * (n_samples - 1) / 2,) or None
        On "distances" the upper triangle of the distance matrix, row by row.
    labels : ndarray of shape (n_samples,) or None
        On "cut" the clusters.
    cophenetic_correlation : float
        On "cut" how well the tree keeps the distances, from -1 to 1; NaN where one of the two does
        not vary.
    """

    phase: Phase
    n_clusters: int
    pair: tuple[int, int] | None = None
    node: int | None = None
    height: float = np.nan
    sizes: tuple[int, int] = (0, 0)
    remaining: NDArray[np.intp] | None = None
    other_sizes: NDArray[np.intp] | None = None
    before: Floats | None = None
    after: Floats | None = None
    n_ties: int = 0
    inverted: bool = False
    distances: Floats | None = None
    labels: Labels | None = None
    cophenetic_correlation: float = np.nan


def replayed_merges(
    distances: Floats, tree: Floats, linkage: str
) -> Iterator[AgglomerativeClusteringStep]:
    """Repeat the merges of a tree on the distance matrix, one row and column leaving with each."""
    n_samples = len(tree) + 1
    D = squareform(distances)
    np.fill_diagonal(D, np.inf)
    # The distance of each row to the nearest one finds ties without a look at the whole matrix.
    nearest = D.min(axis=1)
    nodes, sizes = np.arange(n_samples), np.ones(n_samples, np.intp)
    slot = np.arange(2 * n_samples - 1)  # the row of the matrix that a node has
    highest = 0.0
    for m, (first, second, height, _) in enumerate(tree.tolist()):
        look()
        i, j = slot[[int(first), int(second)]]
        remaining = np.flatnonzero(np.isfinite(nearest))
        remaining = remaining[(remaining != i) & (remaining != j)]
        pair_sizes = int(sizes[i]), int(sizes[j])
        after = merged_distances(
            linkage, D[i, remaining], D[j, remaining], D[i, j], pair_sizes, sizes[remaining]
        )
        yield AgglomerativeClusteringStep(
            "merge",
            n_samples - m - 1,
            pair=(int(first), int(second)),
            node=n_samples + m,
            height=height,
            sizes=pair_sizes,
            remaining=nodes[remaining],
            other_sizes=sizes[remaining],
            before=D[[[i], [j]], remaining],
            after=after,
            n_ties=_ties(D, nearest, height),
            inverted=height < highest * (1 - TIE),
        )
        highest = max(highest, height)
        _take_in(D, nearest, i, j, remaining, after)
        nodes[i], sizes[i] = n_samples + m, sum(pair_sizes)
        slot[n_samples + m] = i


def _ties(D: Floats, nearest: Floats, height: float) -> int:
    """Return how many pairs besides one are as near as ``height``."""
    limit = height * (1 + TIE)
    rows = np.flatnonzero(nearest <= limit)
    return max(0, int((D[rows[:, None], rows] <= limit).sum()) // 2 - 1)


def _take_in(
    D: Floats, nearest: Floats, i: int, j: int, remaining: NDArray[np.intp], after: Floats
) -> None:
    """Write the new cluster into row i of the matrix, strike out row j, and mend ``nearest``."""
    lost = np.minimum(D[i, remaining], D[j, remaining]) <= nearest[remaining]
    D[j] = D[:, j] = np.inf
    D[i, remaining] = D[remaining, i] = after
    nearest[j], nearest[i] = np.inf, after.min(initial=np.inf)
    nearest[remaining] = np.minimum(nearest[remaining], after)
    stale = remaining[lost & (after > nearest[remaining])]
    nearest[stale] = D[stale].min(axis=1)
