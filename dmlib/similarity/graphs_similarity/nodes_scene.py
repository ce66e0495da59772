"""What the pictures of this page share: nodes by name, rings and ways in a graph, lines between nodes, bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dmlib.pictures.data.graph import MOST_NAMES, NODE, SMALL_NODE
from dmlib.pictures.marks import Line, PerFrame, Points, Rects, Segments
from dmlib.pictures.motion import moves, xy
from dmlib.problem import GraphProblem
from dmlib.problem.texts import shortened


def node_size(problem: GraphProblem) -> float:
    """Return the radius of a node, in pixels."""
    return NODE if len(problem.names) <= MOST_NAMES else SMALL_NODE


def node_names(problem: GraphProblem, most: int = 12) -> list[str]:
    r"""Return the names of the nodes on one line each, of at most so many characters.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> node_names(prepare_graph(nx.Graph([("a \n b", "c")])), 5)
    ['a b', 'c']
    """
    return [shortened(" ".join(name.split()), most) for name in problem.names]


def node_ring(problem: GraphProblem, nodes: Iterable[int | None]) -> Points:
    """Return a ring around one node of each frame."""
    x, y = xy(None if node is None else problem.positions[[node]] for node in nodes)
    return Points(x=x, y=y, color=[2], symbol=[0], size=[node_size(problem) + 4], opacity=[0.35], of="")


def node_way(problem: GraphProblem, ways: Iterable[Sequence[int]]) -> Line:
    """Return the line through the nodes of each frame."""
    x, y = xy(problem.positions[list(nodes)] for nodes in ways)
    return Line(x=x, y=y, color="accent", width=6.0)


def node_links(problem: GraphProblem, pairs: Iterable[Any], **more: Any) -> Segments:
    """Return lines between pairs of nodes, of each frame an array of shape (n_pairs, 2)."""
    some = list(pairs)
    return moves(
        (problem.positions[each[:, 0]] for each in some), (problem.positions[each[:, 1]] for each in some), **more
    )


def bars(panel: str, ends: Any, middles: Any, starts: Any = None, *, half: float = 0.35, **more: Any) -> Rects:
    """Return horizontal bars; a list has an array for each frame, an array counts for all frames.

    Examples
    --------
    >>> mark = bars("counts", [np.array([2.0])], [np.array([1.0])], half=0.5)
    >>> mark.x0.rows, mark.y1.rows
    ([array([0.])], [array([1.5])])
    """
    if starts is None:
        starts = [np.zeros(len(each)) for each in middles] if isinstance(middles, list) else np.zeros(len(middles))
    return Rects(
        panel=panel, x0=_channel(starts), x1=_channel(ends), y0=_channel(middles, -half), y1=_channel(middles, half),
        **more,
    )  # fmt: skip


def _channel(values: Any, shift: float = 0.0) -> Any:
    return PerFrame([each + shift for each in values]) if isinstance(values, list) else values + shift
