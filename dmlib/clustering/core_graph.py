"""The graph of density-based clustering: neighbours, and connected groups of core points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from dmlib.arrays import Floats
from dmlib.clustering.neighbors import Indices

NOISE = -1
"""The label of rows in no cluster."""


def total_weights(pairs: Indices, weights: Floats | None, n_samples: int) -> Floats:
    """Return the weight of each neighbourhood: without weights, how many rows it has."""
    if weights is None:
        return np.bincount(pairs.ravel(), minlength=n_samples) + np.ones(n_samples)
    first, second = pairs.T
    totals: Floats = weights + np.bincount(first, weights[second], n_samples)
    totals += np.bincount(second, weights[first], n_samples)
    return totals


def core_labels(pairs: Indices, core: NDArray[np.bool_], order: Indices) -> Indices:
    """Return the connected groups of core points, numbered in order of visits; others are noise."""
    first, second = core.take(pairs).T
    groups = _components(pairs.compress(first & second, axis=0), len(core))
    groups_in_order, number = groups[order[core[order]]], np.empty(len(core), np.intp)
    names, first = np.unique(groups_in_order, return_index=True)
    number[names[np.argsort(first)]] = np.arange(len(names))
    return np.where(core, number[groups], NOISE)


def _components(pairs: Indices, n_samples: int) -> Indices:
    """Return which rows are connected by pairs.

    Where pairs are many, a random sample of them connects almost all; then only the pairs between
    the groups that it leaves apart are of interest. The answer does not depend on the sample.
    """
    n_some = 4 * n_samples
    if len(pairs) <= 4 * n_some:
        return _connect(pairs, n_samples)
    sample = np.random.default_rng(0).integers(len(pairs), size=n_some)
    groups = _connect(pairs[sample], n_samples)
    ends = groups.take(pairs)
    return _connect(ends.compress(ends[:, 0] != ends[:, 1], axis=0), n_samples)[groups]


def _connect(pairs: Indices, n_samples: int) -> Indices:
    edges = sparse.coo_array((np.ones(len(pairs)), tuple(pairs.T)), shape=(n_samples, n_samples))
    groups: Indices = connected_components(edges, directed=False)[1]
    return groups


def claims(pairs: Indices, core: NDArray[np.bool_], labels: Indices) -> Indices:
    """Return the clusters that have a core point near a border point, as sorted (row, cluster)."""
    first, second = core.take(pairs).T
    mixed = pairs.compress(first != second, axis=0)
    mixed = np.where(core[mixed[:, :1]], mixed, mixed[:, ::-1])  # the core point first
    n_labels = len(labels) + 1
    keys = np.unique(mixed[:, 1] * n_labels + labels[mixed[:, 0]])
    return np.column_stack(np.divmod(keys, n_labels))


def contested(claims: Indices) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the rows that several clusters claim, with these."""
    rows, counts = np.unique(claims[:, 0], return_counts=True)
    several = rows[counts > 1]
    return tuple((int(row), tuple(claims[claims[:, 0] == row, 1].tolist())) for row in several)


def neighborhoods(pairs: Indices, n_samples: int) -> list[Indices]:
    """Return the neighbours of each row, itself included, in ascending order."""
    first, second = pairs.T
    own = np.arange(n_samples)
    # Pairs as single numbers: those are sorted many times faster.
    keys = np.sort(
        np.concatenate(
            [first * n_samples + second, second * n_samples + first, own * n_samples + own]
        )
    )
    rows, neighbors = np.divmod(keys, n_samples)
    return np.split(neighbors, np.cumsum(np.bincount(rows, minlength=n_samples))[:-1])
