"""The common walks of graphs: up to a length by products of matrices, all by a linear system."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from dmlib.arrays import Floats
from dmlib.params import rounded
from dmlib.similarity.graphs_similarity.features import Labels, first_labels
from dmlib.similarity.graphs_similarity.graphs import Indices, adjacency_by_label
from dmlib.trace import look

WALKS = ("random-walk", "geometric")
"""The kernels that count common walks: those up to a length, and those of all lengths."""
MAX_PAIRS = 10_000  # of nodes, that are walked on
MAX_UNKNOWNS = 1_000  # of a linear system
MAX_LENGTH = 20  # edges of a walk that has a round of its own, where those of all lengths count
REST = 0.01  # the share of the closed form that is left to one last round
MARGIN = 1e-9  # of the largest eigenvalue, which has rounding errors

Own = Sequence[Hashable]


@dataclass(frozen=True)
class CommonWalks:
    """The common walks of every two of several graphs.

    Attributes
    ----------
    counts : ndarray of shape (n_lengths, n_graphs, n_graphs)
        The numbers of walks with 0, 1, 2, ... edges.
    terms : ndarray of shape (n_rounds, n_graphs, n_graphs)
        What the walks of each length add; where all lengths count, the last round has all longer
        ones.
    """

    counts: Floats
    terms: Floats


def common_walks(
    graphs: Sequence[nx.Graph],
    n_iter: int | None,
    decay: float,
    labels: Labels = "equal",
    *,
    edge_labels: bool = False,
) -> CommonWalks:
    """Return the common walks of every two graphs with up to ``n_iter`` edges; None means all.

    Examples
    --------
    >>> common_walks([nx.path_graph(2)], 2, 0.5).terms.ravel().tolist()
    [4.0, 2.0, 1.0]
    >>> common_walks([nx.path_graph(2)], None, 0.5).terms.ravel().tolist()
    [4.0, 2.0, 1.0, 0.5, 0.25, 0.125, 0.0625, 0.0625]
    """
    texts = first_labels(graphs, labels)
    n, n_lengths = len(graphs), 1 + (MAX_LENGTH if n_iter is None else n_iter)
    counts, sums = np.zeros((n_lengths, n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            look()
            pair = graphs[i], graphs[j], [texts[i], texts[j]]
            walks = walk_counts(*pair, n_lengths - 1, edge_labels=edge_labels)
            counts[:, i, j] = counts[:, j, i] = walks
            if n_iter is None:
                A = product_graph(*pair, edge_labels=edge_labels)[1]
                sums[i, j] = sums[j, i] = walk_sums(A, decay).sum()
    weights = decay ** np.arange(n_lengths, dtype=float)
    terms: Floats = weights[:, None, None] * counts
    if n_iter is not None:
        return CommonWalks(counts, terms)
    rests = np.maximum(sums - terms.cumsum(axis=0), 0.0)
    is_near = (rests <= REST * sums).all(axis=(1, 2))
    last = int(is_near.argmax()) if is_near.any() else MAX_LENGTH
    return CommonWalks(counts[: last + 1], np.array([*terms[: last + 1], rests[last]]))


def walks_of(model: Any, graphs: Sequence[nx.Graph]) -> CommonWalks:
    """Return the common walks that the kernel of a model adds up."""
    n_iter, decay = None if model.kernel == "geometric" else model.n_iter, decay_of(model, graphs)
    return common_walks(graphs, n_iter, decay, model.labels, edge_labels=model.edge_labels)


def walk_counts(
    G1: nx.Graph, G2: nx.Graph, labels: Sequence[Own], n_iter: int, *, edge_labels: bool = False
) -> list[int]:
    """Return the numbers of common walks of two graphs with 0 to ``n_iter`` edges.

    They are walks in the direct product, whose nodes are the pairs of nodes with equal labels, and
    whose edges are those of edges; with ``edge_labels``, only of edges with equal labels.

    Examples
    --------
    >>> walk_counts(nx.path_graph(2), nx.path_graph(2), [["", ""], ["", ""]], 2)
    [4, 4, 4]
    """
    n_pairs = len(G1) * len(G2)
    if n_pairs > MAX_PAIRS:
        raise ValueError(
            f"Graphs of {len(G1)} and {len(G2)} nodes have {n_pairs:,} pairs of nodes;"
            f" at most {MAX_PAIRS:,} are walked on."
            " Take smaller graphs, or the Weisfeiler-Lehman kernel."
        )
    matrices = [(A, B.T) for A, B in _edges(G1, G2, edge_labels=edge_labels)]
    is_equal = _equal_labels(*labels)
    walks, counts = is_equal, []
    for _ in range(n_iter + 1):
        look()
        counts.append(round(float(walks.sum())))
        walks = is_equal * sum((A @ walks @ B for A, B in matrices), np.zeros_like(walks))
    return counts


def product_graph(
    G1: nx.Graph, G2: nx.Graph, labels: Sequence[Own], *, edge_labels: bool = False
) -> tuple[Indices, Floats]:
    """Return the pairs of nodes of the direct product of two graphs, and its adjacency matrix.

    Examples
    --------
    >>> pairs, A = product_graph(nx.path_graph(2), nx.path_graph(2), [["a", "b"], ["b", "a"]])
    >>> pairs.tolist(), A.tolist()
    ([[0, 1], [1, 0]], [[0.0, 1.0], [1.0, 0.0]])
    """
    pairs = np.argwhere(_equal_labels(*labels) > 0)
    if len(pairs) > MAX_UNKNOWNS:
        raise ValueError(
            f"Graphs of {len(G1)} and {len(G2)} nodes have {len(pairs):,} pairs of nodes with equal"
            f" labels; a linear system has at most {MAX_UNKNOWNS:,} here."
            " Take smaller graphs, or the random-walk kernel."
        )
    i, j = pairs.T
    A = np.zeros((len(pairs), len(pairs)))
    for first, second in _edges(G1, G2, edge_labels=edge_labels):
        A += first[np.ix_(i, i)] * second[np.ix_(j, j)]
    return pairs, A


def walk_sums(A: Floats, decay: float) -> Floats:
    """Return the weighted sum of the walks of all lengths from each node, x = 1 + decay A x.

    Examples
    --------
    >>> walk_sums(np.array([[0.0, 1.0], [1.0, 0.0]]), 0.5).tolist()
    [2.0, 2.0]
    """
    return np.asarray(np.linalg.solve(np.eye(len(A)) - decay * A, np.ones(len(A))), float)


def largest_eigenvalue(
    graphs: Sequence[nx.Graph], labels: Labels = "equal", *, edge_labels: bool = False
) -> float:
    """Return the largest eigenvalue of the product graphs of every two graphs.

    The common walks of all lengths have a sum if the decay is below 1 over it. By the
    Cauchy-Schwarz inequality no two graphs have more common walks than both of them have with
    themselves, so that the products of graphs with themselves decide.

    Examples
    --------
    >>> round(largest_eigenvalue([nx.cycle_graph(3), nx.path_graph(2)]), 12)
    4.0
    """
    radius = 0.0
    for G, own in zip(graphs, first_labels(graphs, labels), strict=True):
        look()
        A = product_graph(G, G, [own, own], edge_labels=edge_labels)[1]
        is_symmetric = np.array_equal(A, A.T)
        values = np.linalg.eigvalsh(A) if is_symmetric else np.abs(np.linalg.eigvals(A))
        radius = float(values.max(initial=radius))
    return radius


def check_decay(
    decay: float, graphs: Sequence[nx.Graph], labels: Labels, *, edge_labels: bool
) -> None:
    """Raise a ValueError if the common walks of all lengths have no finite sum."""
    radius = largest_eigenvalue(graphs, labels, edge_labels=edge_labels)
    if decay * radius >= 1 - MARGIN:
        raise ValueError(
            f"With a decay of {decay:g}, the walks of all lengths have no finite sum. Choose a"
            f" decay below {rounded((1 + MARGIN) / radius, 4, math.floor):g}, which is 1 over the"
            " largest eigenvalue of the product graph, or the random-walk kernel."
        )


def decay_of(model: Any, graphs: Sequence[nx.Graph]) -> float:
    """Return the weight of each further edge: of all lengths, a share of its bound, 1 at most.

    Examples
    --------
    >>> from dmlib.similarity import GraphKernel
    >>> round(decay_of(GraphKernel("geometric"), [nx.cycle_graph(3), nx.path_graph(2)]), 12)
    0.125
    """
    if model.kernel != "geometric":
        return float(model.decay)
    radius = largest_eigenvalue(graphs, model.labels, edge_labels=model.edge_labels)
    return float(model.decay_share / max(radius, 1.0))


def round_names(model: Any, n_rounds: int) -> list[int | str]:
    """Return the numbers of the rounds of a kernel; "> 5" is that of all walks beyond 5 edges."""
    names: list[int | str] = [*range(n_rounds)]
    return [*names[:-1], f"> {n_rounds - 2}"] if model.kernel == "geometric" else names


def _edges(G1: nx.Graph, G2: nx.Graph, *, edge_labels: bool) -> list[tuple[Floats, Floats]]:
    """Return the adjacency matrices of both graphs, of each label of edges that both have."""
    first, second = (adjacency_by_label(G, edge_labels=edge_labels) for G in (G1, G2))
    shared = first.keys() & second.keys()
    return [(first[text].astype(float), second[text].astype(float)) for text in shared]


def _equal_labels(first: Own, second: Own) -> Floats:
    return np.array([[float(a == b) for b in second] for a in first])
