"""The graph over which labels spread: similar rows are joined."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from dmlib.arrays import Floats

TINY = np.finfo(float).tiny


def affinity(X: Floats, kernel: str, n_neighbors: int, gamma: float) -> csr_array:
    """Return the weights between rows, symmetric, 0 between a row and itself.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows.
    kernel : {"knn", "rbf"}
        Weight 1 where one of two rows is among the nearest neighbours of the other, else 0; or
        exp(-gamma d²) at the distance d.
    n_neighbors : int
        The number of neighbours of "knn".
    gamma : float
        That of "rbf".

    Examples
    --------
    >>> affinity(np.array([[0.0], [1.0], [3.0]]), "knn", 1, 1.0).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    if kernel == "rbf":
        weights = np.exp(-gamma * cdist(X, X, "sqeuclidean"))
        np.fill_diagonal(weights, 0.0)
        weights[weights < TINY] = 0.0  # its inverse would be infinite
        return csr_array(weights)
    k = min(n_neighbors, len(X) - 1)
    if not k:
        return csr_array((len(X), len(X)))
    neighbors = KDTree(X).query(X, k + 1)[1]
    # Among equal rows, a row need not be its own nearest neighbour.
    is_self = neighbors == np.arange(len(X))[:, None]
    is_self[~is_self.any(axis=1), -1] = True
    ends = neighbors[~is_self]
    starts = np.repeat(np.arange(len(X)), k)
    directed = csr_array((np.ones(len(ends)), (starts, ends)), shape=(len(X), len(X)))
    return csr_array(directed.maximum(directed.T))


def propagation_matrix(weights: csr_array) -> csr_array:
    """Return the weights divided by the sum of their row: shares of a vote.

    Examples
    --------
    >>> propagation_matrix(csr_array([[0.0, 1.0], [3.0, 0.0]])).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return _scaled(weights, _inverse(_degrees(weights)), np.ones(weights.shape[0]))


def spreading_matrix(weights: csr_array) -> csr_array:
    """Return the weights divided by the roots of the degrees of both ends.

    Examples
    --------
    >>> W = csr_array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    >>> spreading_matrix(W).toarray().round(4).tolist()
    [[0.0, 0.7071, 0.7071], [0.7071, 0.0, 0.0], [0.7071, 0.0, 0.0]]
    """
    roots = np.sqrt(_inverse(_degrees(weights)))
    return _scaled(weights, roots, roots)


def _degrees(weights: csr_array) -> Floats:
    return np.asarray(weights.sum(axis=1), float).ravel()


def _inverse(values: Floats) -> Floats:
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def _scaled(weights: csr_array, first: Floats, second: Floats) -> csr_array:
    entries = weights.tocoo()
    data = entries.data * first[entries.row] * second[entries.col]
    return csr_array((data, (entries.row, entries.col)), shape=weights.shape)
