"""Kernel matrices of lists of graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import networkx as nx
import numpy as np

from dmlib.arrays import Floats
from dmlib.params import Flag, Integer, Number, Param, check_params
from dmlib.similarity.graphs_similarity.features import (
    Labels,
    Round,
    edge_rounds,
    graphlet_rounds,
    path_rounds,
    product,
    topological_rounds,
    wl_rounds,
)
from dmlib.similarity.graphs_similarity.graphs import check_graph
from dmlib.similarity.graphs_similarity.walks import check_decay, common_walks


def weisfeiler_lehman_kernel(
    graphs: Sequence[nx.Graph],
    n_iter: int = 3,
    *,
    labels: Labels = "equal",
    edge_labels: bool = False,
    normalize: bool = False,
) -> Floats:
    """Return the Weisfeiler-Lehman subtree kernel of all pairs of graphs.

    Parameters
    ----------
    graphs : sequence of networkx.Graph
        The graphs; weights are ignored.
    n_iter : int
        The number of relabellings.
    labels : {"equal", "class"} or sequence of sequences
        The first labels: all equal, those of the node attribute ``label`` or ``class``, or one for
        each node.
    edge_labels : bool
        Whether labels of edges count: the attribute ``label``, or the ``order`` of a bond.
    normalize : bool
        Whether each entry is divided by the root of both entries of the diagonal.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The sum over the rounds of the products of the counts.

    Notes
    -----
    O(h m) for h rounds and m edges, and the products. A node with a loop is one of its own
    neighbours.

    References
    ----------
    N. Shervashidze et al. (2011), Weisfeiler-Lehman graph kernels, Journal of Machine Learning
    Research 12.

    Examples
    --------
    >>> weisfeiler_lehman_kernel([nx.path_graph(3), nx.cycle_graph(3)], 1).tolist()
    [[14.0, 12.0], [12.0, 18.0]]
    """
    _check(graphs, n_iter=(n_iter, Integer(0, 100)), normalize=(normalize, Flag()))
    rounds = wl_rounds(graphs, labels, n_iter, edge_labels=edge_labels)
    return _matrix(rounds, len(graphs), normalize=normalize)


def shortest_path_kernel(
    graphs: Sequence[nx.Graph],
    *,
    labels: Labels = "equal",
    weighted: bool = False,
    normalize: bool = False,
) -> Floats:
    """Return the shortest-path kernel: pairs of nodes with equal distances and labels.

    Parameters
    ----------
    graphs, labels
        As in :func:`weisfeiler_lehman_kernel`.
    weighted : bool
        Whether the weights are the lengths of the edges.
    normalize : bool
        As there.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The products of the counts.

    References
    ----------
    K. M. Borgwardt and H.-P. Kriegel (2005), Shortest-path kernels on graphs, ICDM.

    Examples
    --------
    >>> shortest_path_kernel([nx.path_graph(3), nx.cycle_graph(3)]).tolist()
    [[5.0, 6.0], [6.0, 9.0]]
    """
    _check(graphs, weighted=(weighted, Flag()), normalize=(normalize, Flag()))
    rounds = path_rounds(graphs, labels, weighted=weighted)
    return _matrix(rounds, len(graphs), normalize=normalize)


def graphlet_kernel(
    graphs: Sequence[nx.Graph], size: int = 3, *, normalize: bool = False
) -> Floats:
    """Return the graphlet kernel: products of the counts of induced subgraphs of 3 or 4 nodes.

    Parameters
    ----------
    graphs : sequence of networkx.Graph
        The graphs; loops are ignored.
    size : {3, 4}
        Nodes of a graphlet.
    normalize : bool
        As in :func:`weisfeiler_lehman_kernel`.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The products of the counts.

    References
    ----------
    N. Shervashidze et al. (2009), Efficient graphlet kernels for large graph comparison, AISTATS.

    Examples
    --------
    >>> graphlet_kernel([nx.path_graph(4), nx.cycle_graph(4)]).tolist()
    [[8.0, 8.0], [8.0, 16.0]]
    """
    _check(graphs, size=(size, Integer(3, 4)), normalize=(normalize, Flag()))
    return _matrix(graphlet_rounds(graphs, size), len(graphs), normalize=normalize)


def random_walk_kernel(
    graphs: Sequence[nx.Graph],
    n_iter: int = 3,
    *,
    decay: float = 0.1,
    labels: Labels = "equal",
    edge_labels: bool = False,
    normalize: bool = False,
) -> Floats:
    """Return the random-walk kernel: common walks, those of l edges weighted by ``decay`` ** l.

    Parameters
    ----------
    graphs : sequence of networkx.Graph
        The graphs.
    n_iter : int
        The edges of the longest walk.
    decay : float
        The weight of each further edge; a walk may use a loop.
    labels, edge_labels, normalize
        As in :func:`weisfeiler_lehman_kernel`.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The weighted sums.

    References
    ----------
    T. Gärtner, P. Flach and S. Wrobel (2003), On graph kernels: hardness results and efficient
    alternatives, COLT. H. Kashima, K. Tsuda and A. Inokuchi (2003), Marginalized kernels between
    labeled graphs, ICML.

    Examples
    --------
    >>> random_walk_kernel([nx.path_graph(2)], 2, decay=0.5).tolist()
    [[7.0]]
    """
    _check(graphs, n_iter=(n_iter, Integer(0, 100)), decay=(decay, Number(0.0, 1.0)))
    _check(graphs, normalize=(normalize, Flag()))
    walks = common_walks(graphs, n_iter, decay, labels, edge_labels=edge_labels)
    matrix: Floats = walks.terms.sum(axis=0)
    return normalized(matrix) if normalize else matrix


def geometric_kernel(
    graphs: Sequence[nx.Graph],
    decay: float = 0.1,
    *,
    labels: Labels = "equal",
    edge_labels: bool = False,
    normalize: bool = False,
) -> Floats:
    r"""Return the geometric random-walk kernel: common walks of all lengths, in closed form.

    With the adjacency matrix A of the product graph it is the limit of :func:`random_walk_kernel`,
    :math:`\sum_l \lambda^l \mathbf{1}^\top A^l \mathbf{1} = \mathbf{1}^\top (I - \lambda A)^{-1}
    \mathbf{1}`.

    Parameters
    ----------
    graphs : sequence of networkx.Graph
        The graphs.
    decay : float
        The weight of each further edge, below 1 over the largest eigenvalue of each product graph.
    labels, edge_labels, normalize
        As in :func:`weisfeiler_lehman_kernel`.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The sums of the solutions of the linear systems.

    Raises
    ------
    ValueError
        If the sum over all lengths diverges, or a product graph has more than 1,000 nodes.

    Notes
    -----
    :math:`O(n^6)` for two graphs of n nodes: the system has :math:`n^2` unknowns. The smaller the
    decay, the less do walks of several edges count, and the kernel hardly tells more than the
    numbers of nodes and edges: halting.

    References
    ----------
    T. Gärtner, P. Flach and S. Wrobel (2003), On graph kernels: hardness results and efficient
    alternatives, COLT. S. V. N. Vishwanathan, N. N. Schraudolph, R. Kondor and K. M. Borgwardt
    (2010), Graph kernels, Journal of Machine Learning Research 11. M. Sugiyama and K. Borgwardt
    (2015), Halting in random walk kernels, NIPS.

    Examples
    --------
    >>> geometric_kernel([nx.path_graph(2), nx.cycle_graph(3)], 0.2).round(6).tolist()
    [[5.0, 10.0], [10.0, 45.0]]
    """
    _check(graphs, decay=(decay, Number(0.0, 1.0)), normalize=(normalize, Flag()))
    check_decay(decay, graphs, labels, edge_labels=edge_labels)
    walks = common_walks(graphs, None, decay, labels, edge_labels=edge_labels)
    matrix: Floats = walks.terms.sum(axis=0)
    return normalized(matrix) if normalize else matrix


def edge_histogram_kernel(
    graphs: Sequence[nx.Graph],
    *,
    labels: Labels = "equal",
    edge_labels: bool = False,
    normalize: bool = False,
) -> Floats:
    """Return the vertex-edge label histogram kernel: edges with equal labels, also of their ends.

    Parameters
    ----------
    graphs, labels, edge_labels, normalize
        As in :func:`weisfeiler_lehman_kernel`.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The products of the counts.

    Notes
    -----
    O(m) for m edges, and the products. An undirected edge counts once.

    References
    ----------
    M. Sugiyama and K. Borgwardt (2015), Halting in random walk kernels, NIPS.

    Examples
    --------
    >>> edge_histogram_kernel([nx.path_graph(3), nx.cycle_graph(3)]).tolist()
    [[4.0, 6.0], [6.0, 9.0]]
    """
    _check(graphs, normalize=(normalize, Flag()))
    rounds = edge_rounds(graphs, labels, edge_labels=edge_labels)
    return _matrix(rounds, len(graphs), normalize=normalize)


def topological_kernel(graphs: Sequence[nx.Graph], *, normalize: bool = False) -> Floats:
    """Return the products of topological vectors: sizes, triangles, diameter and Wiener index.

    Parameters
    ----------
    graphs, normalize
        As in :func:`weisfeiler_lehman_kernel`.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The inner products of the vectors.

    Notes
    -----
    O(n^3) for the distances of all pairs of n nodes. The largest number, mostly the Wiener index,
    decides alone. Weights, directions and loops are ignored.

    References
    ----------
    H. Wiener (1947), Structural determination of paraffin boiling points. Journal of the American
    Chemical Society 69(1), 17-20.

    Examples
    --------
    >>> topological_kernel([nx.path_graph(3), nx.cycle_graph(3)]).tolist()
    [[33.0, 29.0], [29.0, 29.0]]
    """
    _check(graphs, normalize=(normalize, Flag()))
    return _matrix(topological_rounds(graphs), len(graphs), normalize=normalize)


def _matrix(rounds: Iterator[Round], n: int, *, normalize: bool) -> Floats:
    """Return the sum over the rounds of the products of the counts of all pairs of graphs."""
    matrix = np.zeros((n, n))
    for round_ in rounds:
        matrix += [[product(round_, i, j) for j in range(n)] for i in range(n)]
    return normalized(matrix) if normalize else matrix


def normalized(matrix: Floats) -> Floats:
    """Divide a kernel matrix by the roots of its diagonal; a row with 0 there stays 0."""
    lengths = np.sqrt(np.diag(matrix))
    divisors, zeros = np.outer(lengths, lengths), np.zeros_like(matrix)
    quotients: Floats = np.divide(matrix, divisors, out=zeros, where=divisors > 0)
    return quotients


def _check(graphs: Sequence[nx.Graph], **values: tuple[object, Param]) -> None:
    check_params(
        {name: spec for name, (_, spec) in values.items()},
        {name: value for name, (value, _) in values.items()},
    )
    if isinstance(graphs, nx.Graph) or not len(graphs):
        raise ValueError("graphs must be a list of one or more graphs.")
    for G in graphs:
        check_graph(G)
