"""Similarity graphs of rows, and what it costs to cut one into parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.neighbors import kneighbors_graph, radius_neighbors_graph

from dmlib.arrays import Floats
from dmlib.classification.kernels import Kernel
from dmlib.squares import check_squares

MAX_ROWS = 8_000
"""A dense matrix of so many rows takes half a gigabyte, and the eigenvectors need two of them."""

WIDE = 15  # up to so many columns scikit-learn's search takes differences


def similarity_graph(
    X: Floats, affinity: str, *, gamma: float = 1.0, n_neighbors: int = 10, eps: float = 0.5
) -> Floats | sparse.csr_array:
    r"""Return the weights of the edges between rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows.
    affinity : {"rbf", "knn", "epsilon"}
        "rbf": every pair is joined, with weight :math:`\exp(-\gamma \lVert x_i - x_j \rVert^2)`.
        "knn": the weight is 1 if each of two rows is among the nearest neighbours of the other, and
        1/2 if only one is. "epsilon": the weight is 1 up to the distance ``eps``.
    gamma : float
        One over twice the squared width of the Gaussian kernel.
    n_neighbors : int
        The number of nearest neighbours; a row is the first of its own, as in scikit-learn.
    eps : float
        The largest distance of joined rows.

    Returns
    -------
    ndarray or sparse array of shape (n_samples, n_samples)
        Symmetric. The diagonal is no edge.

    Raises
    ------
    ValueError
        If there are too many rows for a dense matrix, too few for the neighbours, or no edge at
        all.

    Examples
    --------
    >>> similarity_graph(np.array([[0.0], [1.0], [5.0]]), "epsilon", eps=2.0).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    n_samples = len(X)
    if affinity != "knn" and n_samples > MAX_ROWS:
        raise ValueError(
            f"The similarities of all pairs of {n_samples:,} "
            f"rows take {n_samples**2 * 8 / 1e9:.1f} GB. "
            f"Use affinity='knn', or a sample of at most {MAX_ROWS:,} rows."
        )
    if affinity != "rbf":
        return _with_edges(joined_rows(X, affinity, n_neighbors=n_neighbors, eps=eps))
    check_squares(X)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return _with_edges(Kernel("rbf", gamma)(X, X))


def joined_rows(X: Floats, rule: str, *, n_neighbors: int, eps: float) -> sparse.csr_array:
    """Return the weights of "knn" or "epsilon" in :func:`similarity_graph`; there may be none.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> joined_rows(X, "knn", n_neighbors=2, eps=0.5).toarray().tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    check_squares(X)
    if rule == "knn":
        if n_neighbors > len(X):
            raise ValueError(
                f"n_neighbors={n_neighbors} needs at least as many rows, "
                f"but n_samples={len(X)}. Choose fewer neighbours."
            )
        graph = kneighbors_graph(_near_zero(X), n_neighbors, include_self=True)
        return sparse.csr_array((graph + graph.T) / 2)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return sparse.csr_array(radius_neighbors_graph(_near_zero(X), eps))


def _near_zero(X: Floats) -> Floats:
    """Return wide rows without their offset: scikit-learn expands squares and loses digits."""
    return X - X[0] if X.shape[1] > WIDE else X


def checked_graph(W: Any) -> Any:
    """Return a valid matrix of similarities, dense or sparse of shape (n_samples, n_samples).

    Raises
    ------
    ValueError
        If it is not square, not symmetric, has a negative weight, or no edge.

    Examples
    --------
    >>> checked_graph(np.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: No two rows are similar: the graph has no edge. Scale the columns...
    """
    if W.shape[0] != W.shape[1]:
        raise ValueError(
            f"A similarity matrix should be square, got shape {W.shape}. "
            "Give one row and one column per sample."
        )
    asymmetry = abs(W - W.T).max()
    if W.min() < 0 or asymmetry > 1e-8 * abs(W).max():
        raise ValueError(
            "A similarity matrix must be symmetric and without negative numbers. "
            "Check the matrix, or take the mean of it and its transpose."
        )
    return _with_edges(W)


def _with_edges(W: Any) -> Any:
    if W.sum() - W.diagonal().sum() <= 0:
        raise ValueError(
            "No two rows are similar: the graph has no edge. "
            "Scale the columns, lower gamma, raise eps or neighbours."
        )
    return W


@dataclass(frozen=True)
class GraphCuts:
    """The weight that a partition of a graph into k parts cuts, in three measures.

    Attributes
    ----------
    cuts : ndarray of shape (k,)
        For each part, the weight of the edges that leave it.
    sizes : ndarray of shape (k,)
        For each part, its number of nodes.
    volumes : ndarray of shape (k,)
        For each part, the sum of its nodes' degrees.
    """

    cuts: Floats
    sizes: NDArray[np.intp]
    volumes: Floats

    @property
    def cut(self) -> float:
        """The weight of all edges between different parts, which the minimum cut makes small."""
        return float(self.cuts.sum()) / 2

    @property
    def ratio_cut(self) -> float:
        """The mean over the parts of cut / size."""
        return float(np.mean(self.cuts / self.sizes))

    @property
    def normalized_cut(self) -> float:
        """The mean over the parts of cut / volume; a part without edges counts as 0."""
        return float(np.mean(self.cuts / np.where(self.volumes > 0, self.volumes, 1)))


def graph_cuts(W: Any, labels: ArrayLike) -> GraphCuts:
    """Measure a partition of a graph.

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n_nodes, n_nodes)
        Symmetric weights of the edges; the diagonal is left out.
    labels : array-like of shape (n_nodes,)
        The part of each node.

    Returns
    -------
    GraphCuts
        The cuts, sizes and volumes of the parts, in the order of their labels, and the three
        measures.

    Notes
    -----
    Authors scale ratio cut and normalised cut differently: this is the mean over the parts, which
    for two parts is also half of their sum (von Luxburg). O(n^2), or O(m) for m edges of a sparse
    graph.

    References
    ----------
    L. Hagen and A. B. Kahng (1992), New spectral methods for ratio cut partitioning and clustering.
    J. Shi and J. Malik (2000), Normalized cuts and image segmentation, section 2.

    Examples
    --------
    >>> cuts = graph_cuts([[0, 1, 1], [1, 0, 0], [1, 0, 0]], [0, 0, 1])
    >>> cuts.cut, cuts.ratio_cut, round(cuts.normalized_cut, 4)
    (1.0, 0.75, 0.6667)
    """
    weights = W if sparse.issparse(W) else np.asarray(W, float)
    names, codes = np.unique(np.asarray(labels), return_inverse=True)
    member = (codes[:, None] == np.arange(len(names))).astype(float)
    own = weights.diagonal()
    to_parts = weights @ member
    volumes = member.T @ (to_parts.sum(axis=1) - own)
    inside = (member * to_parts).sum(axis=0) - member.T @ own
    cuts = np.maximum(volumes - inside, 0.0)
    return GraphCuts(cuts, np.bincount(codes), volumes)
