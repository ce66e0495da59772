"""Graphs: from the library, a generator, drawn by clicking and joining, or from a file of edges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import streamlit as st

from dmlib.datasets import decode_graph, drawn_graph, encode_graph, read_graph
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.drawn import DRAW_BOX, DRAW_STEP
from dmlib.datasets.drawn.graph import MAX_EDGES, MAX_WEIGHT, WEIGHT_STEP
from dmlib.pictures.scene import Scene
from dmlib.problem import prepare_graph
from ui.controls import peek
from ui.data.container import Container
from ui.data.kind import Chosen
from ui.data.points import CLASSES, edit_spec, finite_points
from ui.links import keep, kept
from ui.tools.tool import SEED

GRAPH = "graph"
MOST_DRAWN = 60
FIRST = "MgrwAMgSwAZAfQAlgfQByArwByASwB.ABACBCCDDEDFEF"
"""The graph that somebody finds who begins to draw: two triangles and an edge between them."""


@dataclass(frozen=True)
class Graph(Container):
    """A graph, perhaps with weights on its edges and classes of its nodes.

    Parameters
    ----------
    first : str
        The graph that somebody finds who begins to draw.
    """

    first: str = FIRST

    kind: ClassVar[DataKind] = "graph"
    less: ClassVar[str] = "Choose a graph of fewer nodes and edges, or fewer clusters."
    accepts: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".tsv", ".edges", ".xlsx", ".ods", ".graphml", ".gml")
    wanted: ClassVar[str] = "Edges: two nodes on each line, and perhaps a weight; or GraphML or GML"
    reader: ClassVar[str] = "read_graph"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Lay the graph out."""
        return prepare_graph(data.graph, target=data.target, random_state=peek("seed", SEED, 0)), "X = data.graph\n"

    def read(self, content: bytes, name: str) -> Any:
        """Read edges from delimited text, or a graph with its attributes."""
        return read_graph(content, name)

    def drawn(self) -> tuple[Any, str]:
        """Return the graph that was drawn on the stage."""
        text = encode_graph(*_drawn(self.first))
        if not len(_drawn(self.first)[0]):
            raise ValueError("Draw a node: click on the picture. With Join, clicks on two nodes make an edge.")
        return drawn_graph(*_drawn(self.first)), (
            f"from dmlib.datasets import decode_graph, drawn_graph\n\ndata = drawn_graph(*decode_graph({text!r}))\n"
        )

    def alone(self, problem: Any, caption: str) -> Scene:
        """Return the data alone; an empty stage has no numbers at its axes, as a graph has none: nothing moves then."""
        scene = super().alone(problem, caption)
        if problem is not None:
            return scene
        bare = [replace(panel, x=replace(panel.x, label=""), y=replace(panel.y, label="")) for panel in scene.panels]
        return replace(scene, panels=bare)

    def offers(self, chosen: Chosen) -> Mapping[str, Any]:
        """Let the stage draw nodes and edges."""
        if chosen.source != "draw":
            return {}
        nodes, edges = _drawn(self.first)
        low, high = DRAW_BOX
        return {
            "edit": edit_spec(GRAPH, [list(map(float, node)) for node in nodes])
            | {"label": "Draw graph", "edges": [list(map(float, edge)) for edge in edges], "max": MOST_DRAWN}
            | {"classes": [str(i + 1) for i in range(CLASSES)], "box": [low, high, low, high], "step": DRAW_STEP}
        }

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Take over drawn nodes and edges; what the browser sends is not trusted."""
        if message.get("base") != GRAPH:
            return False
        nodes = finite_points(message.get("points"))[:MOST_DRAWN]
        edges = _pairs(message.get("edges"), len(nodes))
        low, high = DRAW_BOX
        nodes[:, :2] = nodes[:, :2].clip(low, high)
        nodes[:, 2] = nodes[:, 2].clip(0, CLASSES - 1).round()
        text = encode_graph(nodes, edges)
        st.session_state[GRAPH] = decode_graph(text)
        keep(GRAPH, text)
        return True


def _drawn(first: str) -> Any:
    return kept(GRAPH, decode_graph, decode_graph(first))


def _pairs(raw: Any, n_nodes: int) -> list[list[float]]:
    """Return the well-formed edges between nodes that are there; where some have weights, the others weigh 1."""
    found: dict[tuple[int, int], list[float]] = {}
    for edge in raw if isinstance(raw, list) else []:
        if isinstance(edge, list) and len(edge) in (2, 3) and all(isinstance(v, int | float) for v in edge):
            i, j = sorted(int(v) if math.isfinite(v) else -1 for v in edge[:2])
            if 0 <= i < j < n_nodes:
                found[i, j] = [min(max(v, WEIGHT_STEP), MAX_WEIGHT) for v in edge[2:] if math.isfinite(v)]
    pairs = list(found.items())[:MAX_EDGES]
    weighted = any(weight for _, weight in pairs)
    return [[float(i), float(j), *((weight or [1.0]) if weighted else [])] for (i, j), weight in pairs]
