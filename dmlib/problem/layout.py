"""Where the nodes of a graph are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dmlib.trace import look

if TYPE_CHECKING:
    import networkx as nx

LOW, HIGH = 0.5, 9.5  # the box in which nodes are drawn
ROUNDS = 100  # of majorization, at most
SETTLED = (
    1e-3  # share of the extent by which the nodes still move, at most, when they count as settled
)
GAP = 1.5  # between parts that are not connected, beyond the longest path within one


def layout(graph: nx.Graph, random_state: int = 0) -> NDArray[np.float64]:
    """Return the places of nodes, in [0.5, 9.5]² unless they have positions of their own.

    Distances in the plane follow the numbers of edges on the shortest paths as closely as they can.
    Weights do not count: they may mean nearness or distance.

    Parameters
    ----------
    graph : networkx.Graph
        Nodes that all have an attribute ``pos`` stay there.
    random_state : int
        Seed of the small push that parts nodes which would start in one place.

    Returns
    -------
    ndarray of shape (n_nodes, 2)
        The positions, in the order of the graph.

    Notes
    -----
    Classical scaling, then stress majorization with the weights 1 / distance^2: O(n^3) once, O(n^2)
    a round.

    References
    ----------
    Gansner, Koren and North (2004), Graph drawing by stress majorization. Graph Drawing, LNCS 3383.

    Examples
    --------
    >>> import networkx as nx
    >>> layout(nx.path_graph(3))[:, 0].round().tolist()
    [0.0, 5.0, 10.0]
    """
    positions_of_nodes = [position for _, position in graph.nodes(data="pos")]
    if all(position is not None for position in positions_of_nodes):
        return np.array(positions_of_nodes, float).reshape(-1, 2)
    if len(positions_of_nodes) == 1:
        return np.full((1, 2), (LOW + HIGH) / 2)
    positions = _majorized(_path_lengths(graph), np.random.default_rng(random_state))
    low, high = positions.min(axis=0), positions.max(axis=0)
    middle: NDArray[np.float64] = (positions - (low + high) / 2) * (
        (HIGH - LOW) / float((high - low).max())
    )
    return middle + (LOW + HIGH) / 2


def _path_lengths(graph: nx.Graph) -> NDArray[np.float64]:
    """Return the number of edges between any two nodes."""
    import networkx as nx
    from scipy.sparse.csgraph import shortest_path

    joined = nx.to_scipy_sparse_array(graph, weight=None)
    lengths: NDArray[np.float64] = shortest_path(joined, directed=False, unweighted=True)
    reached = np.isfinite(lengths)
    return np.where(reached, lengths, lengths[reached].max() + GAP)


def _majorized(lengths: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return places whose distances are as near as can be to some lengths, as relative errors."""
    from scipy.spatial.distance import cdist

    squares = lengths**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    axes = vectors[:, -2:] * np.where(
        vectors[np.abs(vectors[:, -2:]).argmax(axis=0), [-2, -1]] < 0, -1.0, 1.0
    )
    places: NDArray[np.float64] = (axes * np.sqrt(np.maximum(values[-2:], 0)))[
        :, ::-1
    ] + 1e-3 * rng.standard_normal((len(lengths), 2))
    weights = np.divide(1.0, squares, out=np.zeros_like(squares), where=squares > 0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights, hermitian=True)
    weighted_lengths = weights * lengths
    for _ in range(ROUNDS):
        look()
        gaps = cdist(places, places)
        pull = np.divide(weighted_lengths, gaps, out=np.zeros_like(gaps), where=gaps > 0)
        before, places = places, inverse @ (pull.sum(axis=1)[:, None] * places - pull @ places)
        if np.abs(places - before).max() < SETTLED * np.ptp(places):
            break
    return places
