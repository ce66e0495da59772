"""The centres that k-means starts from on a large table."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.cluster import kmeans_plusplus
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_array

from dmlib.arrays import Floats
from dmlib.clustering.kmeans.algorithm import KMeans as MemoryKMeans
from dmlib.large.blocks import complete, numbers, summarised
from dmlib.large.sampling import Reservoir, sample, uniforms
from dmlib.large.source import Source

ROUNDS = 5
OVERSAMPLING = 2  # rows drawn in a round, for each cluster
SAMPLE = 20_000  # rows of a sample that k-means runs on
RESTARTS = 5


def first_centers(model: Any, source: Source, origin: Floats) -> Floats:
    """Return the centres that a model starts from: given ones, or drawn.

    Raises
    ------
    ValueError
        If given centres have the wrong shape, or there are fewer distinct rows than clusters.
    """
    if not isinstance(model.init, str):
        start: Floats = check_array(model.init, dtype=np.float64)
        if start.shape != (needed := (model.n_clusters, len(model.columns_))):
            raise ValueError(f"The starting centres have shape {start.shape}; they need {needed}.")
        return start
    if model.init == "sample":
        rows = complete(numbers(sample(source, SAMPLE, columns=model.columns_)))
        seeded = MemoryKMeans(model.n_clusters, n_init=RESTARTS, random_state=model.random_state)
        centers: Floats = seeded.fit(rows).cluster_centers_
        return centers
    return parallel(model, source, origin)


def parallel(model: Any, source: Source, origin: Floats) -> Floats:
    """Return the centres of k-means||.

    Each of five passes draws 2k rows with chances in proportion to their squared distance to the
    nearest row drawn so far; their weights are the rows that they are nearest to, and a weighted
    k-means++ reduces them to k.

    Notes
    -----
    Bahmani et al. draw each row for itself, which takes one more pass a round to know the sum of
    the distances; here exactly 2k rows are drawn without replacement, by keys -log(u) / d²
    (Efraimidis and Spirakis, 2006).
    """
    k = model.n_clusters
    candidates = np.empty((0, len(origin)))
    for turn in range(ROUNDS + 1):
        make = partial(
            _d2_sample,
            candidates=candidates,
            origin=origin,
            size=OVERSAMPLING * k if turn else 1,
            seed=model.random_state + turn,
        )
        reservoir = summarised(source, model.columns_, make, numbered=True)
        candidates = np.concatenate(
            [candidates, reservoir.rows.to_numpy()[np.isfinite(reservoir.keys)]]
        )
    candidates = np.unique(candidates, axis=0)
    if len(candidates) < k:
        raise ValueError(
            f"There are only {len(candidates)} distinct rows, too few for {k} clusters."
        )
    weights = model._sums(source, candidates + origin, origin).counts
    rng = np.random.RandomState(model.random_state)
    chosen, _ = kmeans_plusplus(candidates, k, sample_weight=weights, random_state=rng)
    return np.asarray(chosen) + origin


def _d2_sample(
    block: pd.DataFrame, start: int, *, candidates: Floats, origin: Floats, size: int, seed: int
) -> Reservoir:
    """Return rows of a block, drawn by D² sampling; the first centre of all uniformly."""
    matrix = numbers(block)
    chances = uniforms(seed, start, len(matrix))
    is_complete = ~np.isnan(matrix).any(axis=1)
    X, keys = matrix[is_complete] - origin, -np.log1p(-chances[is_complete])
    if len(candidates) and len(X):
        differences = X - candidates[pairwise_distances_argmin(X, candidates)]
        squares = np.einsum("ij,ij->i", differences, differences)  # exactly 0 for a candidate
        with np.errstate(divide="ignore"):
            keys = np.where(squares > 0, keys / squares, np.inf)
    return Reservoir.of(pd.DataFrame(X), keys, size)
