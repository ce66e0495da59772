"""Marks of graphs: names, a ring around a node, a path, links between pairs, bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.data.graph import MAX_NAMES, NODE, SMALL_NODE
from dmlib.pictures.marks import Line, Points, Rects, Segments
from dmlib.pictures.places import NOWHERE, line_through, points_at, segments_between
from dmlib.problem import GraphProblem
from dmlib.problem.texts import shortened


def node_size(problem: GraphProblem) -> float:
    """Return the radius of a node, in pixels."""
    return NODE if len(problem.names) <= MAX_NAMES else SMALL_NODE


def node_names(problem: GraphProblem, max_letters: int = 12) -> list[str]:
    r"""Return the names of the nodes on one line each, of at most so many characters.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> node_names(prepare_graph(nx.Graph([("a \n b", "c")])), 5)
    ['a b', 'c']
    """
    return [shortened(" ".join(name.split()), max_letters) for name in problem.names]


def node_ring(problem: GraphProblem, node: int | None) -> Points:
    """Return a ring around a node, nowhere without one."""
    place = NOWHERE if node is None else problem.positions[[node]]
    size = [node_size(problem) + 4]
    return points_at(place, color=[2], symbol=[0], size=size, opacity=[0.35], of="")


def node_path(problem: GraphProblem, nodes: Sequence[int]) -> Line:
    """Return the line through nodes."""
    return line_through(problem.positions[list(nodes)], color="accent", width=6.0)


def node_links(problem: GraphProblem, pairs: NDArray[np.intp], **attributes: Any) -> Segments:
    """Return lines between pairs of nodes, shape (n_pairs, 2)."""
    first, second = pairs.T
    return segments_between(problem.positions[first], problem.positions[second], **attributes)


def bars(
    panel: str,
    ends: Floats,
    middles: Floats,
    starts: Floats | None = None,
    *,
    half: float = 0.35,
    **attributes: Any,
) -> Rects:
    """Return horizontal bars around their middles, from 0 unless they have starts.

    Examples
    --------
    >>> mark = bars("counts", np.array([2.0]), np.array([1.0]), half=0.5)
    >>> mark.x0, mark.y1
    (array([0.]), array([1.5]))
    """
    if starts is None:
        starts = np.zeros(len(ends))
    y0, y1 = middles - half, middles + half
    return Rects(panel=panel, x0=starts, x1=ends, y0=y0, y1=y1, **attributes)
