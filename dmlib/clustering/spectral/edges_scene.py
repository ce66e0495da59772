"""A similarity graph as a picture: its edges in the plane, the heavier the thicker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.clustering.spectral.laplacian import ROUNDING
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Segments
from dmlib.pictures.motion import at_last
from dmlib.problem import Problem

MOST_EDGES = 1500  # that are drawn: 24 kB
MOST_CUT = 150  # edges between clusters that are drawn
FAINTEST = 0.02  # of the heaviest edge: below this an edge is not drawn
WIDTHS = (0.4, 0.8, 1.3, 2.0)  # in pixels, of edges up to a quarter, a half, three quarters, and all of the heaviest

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class SimilarityGraph:
    """The graph that the frames tell of."""

    problem: Problem
    weights: Any  # (n_samples, n_samples): of the edges; the diagonal is no edge
    degrees: Floats  # (n_samples,): the sum of the weights of each row's edges
    components: NDArray[np.int32]  # (n_samples,): the connected part of each row

    @cached_property
    def edges(self) -> tuple[Indices, Indices, Floats]:
        """The two ends and the weight of each edge, the heaviest first."""
        if sparse.issparse(self.weights):
            half = sparse.triu(self.weights, 1).tocoo()
            one, other, weights = half.row, half.col, half.data
        else:
            one, other = np.triu_indices(len(self.degrees), 1)
            weights = self.weights[one, other]
        present = np.flatnonzero(weights > ROUNDING * weights.max(initial=0.0))
        # Equal weights come in a random order: where only some are drawn, they are of all places.
        present = np.random.default_rng(0).permutation(present)
        order = present[np.argsort(-weights[present], kind="stable")]
        return one[order].astype(np.intp), other[order].astype(np.intp), np.asarray(weights[order], float)

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
        """Return what a sentence calls a row."""
        return f"row {self.problem.rows[row] + 1}"


def drawn_edges(graph: SimilarityGraph) -> tuple[Indices, Indices, Floats]:
    """Return the ends of the edges that are drawn, and their weights as a share of the heaviest."""
    one, other, weights = graph.edges
    share = weights / weights.max(initial=0.0)
    n = min(MOST_EDGES, int(np.searchsorted(-share, -FAINTEST, side="right")))
    return one[:n], other[:n], share[:n]


def edge_marks(graph: SimilarityGraph, labels: Sequence[NDArray[Any] | None]) -> list[Mark]:
    """Return the edges, segments of several widths, and in the last frame those that are cut, a line.

    ``labels`` has for each frame the cluster of each row, if there are clusters already: an edge inside one has its
    colour.
    """
    points = graph.problem.points
    one, other, share = drawn_edges(graph)
    width_of = np.minimum((share * len(WIDTHS)).astype(int), len(WIDTHS) - 1)
    marks: list[Mark] = []
    for width in np.unique(width_of):
        some = width_of == width
        (x0, y0), (x1, y1) = points[one[some]].T, points[other[some]].T
        color = PerFrame(_inside(labels, one[some], other[some]))
        marks.append(Segments(x0=x0, y0=y0, x1=x1, y1=y1, color=color, width=WIDTHS[width]))
    return [*marks, _cut_edges(graph, labels)]


def _inside(labels: Sequence[NDArray[Any] | None], one: Indices, other: Indices) -> list[NDArray[np.uint8]]:
    """Return for each frame the classes of edges: the cluster of both ends, or none."""
    none = np.array([NO_CLASS], np.uint8)
    return [
        none if each is None else np.where(each[one] == each[other], each[one] % NO_CLASS, NO_CLASS).astype(np.uint8)
        for each in labels
    ]


def _cut_edges(graph: SimilarityGraph, labels: Sequence[NDArray[Any] | None]) -> Line:
    """Return the heaviest edges between different clusters, seen in the last frame."""
    last = labels[-1]
    if last is None:
        raise ValueError("The last frame has no clusters, so nothing is cut.")
    one, other, weights = graph.edges
    cut = np.flatnonzero((last[one] != last[other]) & (weights >= FAINTEST * weights.max(initial=0.0)))[:MOST_CUT]
    points, gap = graph.problem.points, np.full(len(cut), np.nan)
    x, y = (at_last(np.column_stack([p[one[cut]], p[other[cut]], gap]).ravel(), len(labels)) for p in points.T)
    return Line(x=x, y=y, color="ink", width=0.8)


def edges_note(graph: SimilarityGraph) -> tuple[str, ...]:
    """Return the sentence that says which edges are drawn, if not all of them are."""
    n, drawn = len(graph.edges[0]), len(drawn_edges(graph)[0])
    if drawn == n:
        return ()
    if drawn < MOST_EDGES:
        return (f"Of {n:,} edges, those of less than {FAINTEST:.0%} of the heaviest weight are not drawn.",)
    return (f"Of {n:,} edges the {drawn:,} heaviest are drawn.",)
