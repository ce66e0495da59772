"""A similarity graph as a picture: its edges in the plane, the heavier the thicker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.clustering.spectral.laplacian import ROUNDING
from dmlib.pictures.marks import NO_CLASS, Line, Segments
from dmlib.pictures.places import line_through, segments_between
from dmlib.pictures.words import percent
from dmlib.problem import GraphProblem, Problem

MAX_EDGES = 1500  # that are drawn: 24 kB
MAX_CUT = 150  # edges between clusters that are drawn
FAINTEST = 0.02  # of the heaviest edge: below this an edge is not drawn
WIDTHS = 0.4, 0.8, 1.3, 2.0
"""In pixels, of edges up to a quarter, a half, three quarters, and all of the heaviest."""

Indices = NDArray[np.intp]
NO_EDGES: tuple[Indices, Indices] = (np.empty(0, np.intp), np.empty(0, np.intp))


@dataclass(frozen=True)
class SimilarityGraph:
    """The similarity graph of a run."""

    problem: Problem | GraphProblem
    weights: Any  # (n_samples, n_samples): the weights of the edges; the diagonal is no edge
    degrees: Floats  # (n_samples,): the sum of the weights of each row's edges
    components: NDArray[np.int32]  # (n_samples,): the connected component of each row

    @cached_property
    def edges(self) -> tuple[Indices, Indices, Floats]:
        """The two ends and the weight of each edge, the heaviest first."""
        if sparse.issparse(self.weights):
            half = sparse.triu(self.weights, 1).tocoo()
            i, j, weights = half.row, half.col, half.data
        else:
            i, j = np.triu_indices(len(self.degrees), 1)
            weights = self.weights[i, j]
        present = np.flatnonzero(weights > ROUNDING * weights.max(initial=0.0))
        # Equal weights come in a random order: where only some are drawn, they are of all places.
        present = np.random.default_rng(0).permutation(present)
        order = present[np.argsort(-weights[present], kind="stable")]
        return i[order].astype(np.intp), j[order].astype(np.intp), np.asarray(weights[order], float)

    @cached_property
    def edges_by_width(self) -> list[tuple[Indices, Indices, float]]:
        """The ends of the edges that are drawn, and their width in pixels."""
        i, j, share = drawn_edges(self)
        level = np.minimum((share * len(WIDTHS)).astype(int), len(WIDTHS) - 1)
        return [(i[level == n], j[level == n], WIDTHS[n]) for n in np.unique(level)]

    @property
    def n_parts(self) -> int:
        """The number of connected parts."""
        return int(self.components.max()) + 1

    def weights_of(self, row: int) -> Floats:
        """Return the weights of the edges of one row to all rows."""
        line = self.weights[[row]]
        weights = np.array(line.toarray() if sparse.issparse(line) else line, float).ravel()
        weights[row] = 0.0
        return weights

    def name(self, row: int) -> str:
        """Return the name of a row in a sentence."""
        return f"{self.unit} {self.number(row)}"

    def number(self, row: int) -> str:
        """Return the number of a row, or the name of a node."""
        if isinstance(self.problem, GraphProblem):
            return self.problem.names[row]
        return str(self.problem.rows[row] + 1)

    @property
    def unit(self) -> str:
        """The word for one of its nodes."""
        return "node" if isinstance(self.problem, GraphProblem) else "row"


def drawn_edges(graph: SimilarityGraph) -> tuple[Indices, Indices, Floats]:
    """Return the ends of the edges that are drawn, and their weights as a share of the heaviest."""
    i, j, weights = graph.edges
    share = weights / weights.max(initial=0.0)
    n = min(MAX_EDGES, int(np.searchsorted(-share, -FAINTEST, side="right")))
    return i[:n], j[:n], share[:n]


def edge_marks(graph: SimilarityGraph, labels: NDArray[Any] | None) -> list[Segments]:
    """Return the edges as segments of several widths, those inside a cluster in its colour.

    Parameters
    ----------
    graph : SimilarityGraph
        The graph.
    labels : ndarray of shape (n_samples,) or None
        The cluster of each row, if there are clusters already.
    """
    points = graph.problem.points
    return [
        segments_between(points[i], points[j], color=_edge_colors(labels, i, j), width=width)
        for i, j, width in graph.edges_by_width
    ]


def _edge_colors(labels: NDArray[Any] | None, i: Indices, j: Indices) -> NDArray[np.uint8]:
    """Return the classes of edges: the cluster of both ends, or none."""
    if labels is None:
        return np.array([NO_CLASS], np.uint8)
    is_inside = labels[i] == labels[j]
    return np.where(is_inside, labels[i] % NO_CLASS, NO_CLASS).astype(np.uint8)


def cut_edges(graph: SimilarityGraph, labels: NDArray[Any] | None) -> Line:
    """Return the heaviest edges between different clusters as one line; nowhere before the cut."""
    i, j = NO_EDGES if labels is None else _heaviest_cut(graph, labels)
    points, gaps = graph.problem.points, np.full((len(i), 2), np.nan)
    places = np.stack([points[i], points[j], gaps], axis=1).reshape(-1, 2)
    return line_through(places, color="ink", width=0.8)


def _heaviest_cut(graph: SimilarityGraph, labels: NDArray[Any]) -> tuple[Indices, Indices]:
    i, j, weights = graph.edges
    is_visible = weights >= FAINTEST * weights.max(initial=0.0)
    cut = np.flatnonzero((labels[i] != labels[j]) & is_visible)[:MAX_CUT]
    return i[cut], j[cut]


def edges_note(graph: SimilarityGraph) -> tuple[str, ...]:
    """Return the sentence that says which edges are drawn, if not all of them are."""
    n, n_drawn = len(graph.edges[0]), len(drawn_edges(graph)[0])
    if n_drawn == n:
        return ()
    if n_drawn < MAX_EDGES:
        faint = f"those of less than {percent(FAINTEST)} of the heaviest weight"
        return (f"Of {n:,} edges, {faint} are not drawn.",)
    return (f"Of {n:,} edges the {n_drawn:,} heaviest are drawn.",)
