"""Graphs: from the library, a generator, drawn by clicking and joining, or from a file of edges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import streamlit as st

from dmlib.datasets import decode_graph, drawn_graph, encode_graph
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.drawn import DRAW_BOX, DRAW_STEP
from dmlib.datasets.drawn.graph import MAX_EDGES, MAX_WEIGHT, WEIGHT_STEP
from dmlib.datasets.reading.others import GRAPH_WORDS
from dmlib.params import Flag
from dmlib.pictures.scene import Scene
from dmlib.problem import prepare_graph
from ui.controls import control, peek
from ui.data.container import WHOLE, Container
from ui.data.kind import Chosen
from ui.data.points import CLASSES, edit_spec, finite_points
from ui.data.upload import GUESS
from ui.links import keep, kept, shown
from ui.tools.tool import SEED

GRAPH, DIRECTED = "graph", "directed"
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
    directions : bool
        Whether the reader may say that the edges that are drawn or read have directions.
    """

    first: str = FIRST
    directions: bool = False

    kind: ClassVar[DataKind] = "graph"
    less: ClassVar[str] = "Choose a graph of fewer nodes and edges, or fewer clusters."
    accepts: ClassVar[tuple[str, ...]] = (
        *(".csv", ".txt", ".tsv", ".edges", ".xlsx", ".ods", ".graphml", ".gml"),
        *(".mtx", ".net", ".graph", ".col", ".gr"),
    )
    wanted: ClassVar[str] = (
        "Edges: two nodes on each line, and perhaps a weight; an adjacency matrix; "
        "or GraphML, GML, MatrixMarket, Pajek, METIS or DIMACS"
    )
    reader: ClassVar[str] = "read_graph"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Lay the graph out."""
        return (
            prepare_graph(data.graph, target=data.target, random_state=peek("seed", SEED, 0)),
            "X = data.graph\n",
        )

    def from_source(self, source: str) -> tuple[Any, str]:
        """Return the data of one of the sources, and let the reader say whether edges have directions."""
        if self.directions and source in ("draw", "upload"):
            control(
                DIRECTED,
                Flag(),
                False,
                label="Edges have directions",
                parts=WHOLE,
                help_text=(
                    "An edge leads from its first node to its second, in the order of the clicks or"
                    " of the file."
                ),
            )
        return super().from_source(source)

    @property
    def _directed(self) -> bool:
        return self.directions and bool(peek(DIRECTED, Flag(), False))

    def decided(self, file_id: str) -> Mapping[str, Any]:
        """Return whether the edges of a file have directions, and let the reader decide what it holds."""
        arguments: dict[str, Any] = {"directed": True} if self._directed else {}
        if shown("data"):
            with st.expander("Decide what was guessed"):
                forms = {GUESS: None, **{words: form for form, words in GRAPH_WORDS.items()}}
                form = forms[
                    st.selectbox("The file holds", list(forms), key=f"graph.form.{file_id}")
                ]
            arguments |= {} if form is None else {"options": {"form": form}}
        return arguments

    def drawn(self) -> tuple[Any, str]:
        """Return the graph that was drawn on the stage."""
        drawn, directed = _drawn(self.first), self._directed
        if not len(drawn[0]):
            raise ValueError(
                "Draw a node: click on the picture. With Join, clicks on two nodes make an edge."
            )
        made = f"*decode_graph({encode_graph(*drawn)!r})" + (", directed=True" if directed else "")
        return (
            drawn_graph(*drawn, directed=directed),
            f"from dmlib.datasets import decode_graph, drawn_graph\n\ndata = drawn_graph({made})\n",
        )

    def alone(self, problem: Any, caption: str) -> Scene:
        """Return the data alone; an empty stage has no numbers at its axes, as a graph has none: nothing moves then."""
        scene = super().alone(problem, caption)
        if problem is not None:
            return scene
        bare = [
            replace(panel, x=replace(panel.x, label=""), y=replace(panel.y, label=""))
            for panel in scene.panels
        ]
        return replace(scene, panels=bare)

    def offers(self, chosen: Chosen) -> Mapping[str, Any]:
        """Let the stage draw nodes and edges."""
        if chosen.source != "draw":
            return {}
        nodes, edges = _drawn(self.first)
        low, high = DRAW_BOX
        return {
            "edit": (
                edit_spec(GRAPH, [list(map(float, node)) for node in nodes])
                | {
                    "label": "Draw graph",
                    "edges": [list(map(float, edge)) for edge in edges],
                    "max": MOST_DRAWN,
                }
                | {
                    "classes": [str(i + 1) for i in range(CLASSES)],
                    "box": [low, high, low, high],
                    "step": DRAW_STEP,
                }
            )
        }

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Take over drawn nodes and edges; what the browser sends is not trusted."""
        if message.get("base") != GRAPH:
            return False
        nodes = finite_points(message.get("points"))[:MOST_DRAWN]
        edges = _pairs(message.get("edges"), len(nodes), ordered=self._directed)
        low, high = DRAW_BOX
        nodes[:, :2] = nodes[:, :2].clip(low, high)
        nodes[:, 2] = nodes[:, 2].clip(0, CLASSES - 1).round()
        text = encode_graph(nodes, edges)
        st.session_state[GRAPH] = decode_graph(text)
        keep(GRAPH, text)
        return True


def _drawn(first: str) -> Any:
    return kept(GRAPH, decode_graph, decode_graph(first))


def _pairs(raw: Any, n_nodes: int, *, ordered: bool) -> list[list[float]]:
    """Return the well-formed edges between nodes that are there; where some have weights, the others weigh 1."""
    found: dict[tuple[int, int], list[float]] = {}
    for edge in raw if isinstance(raw, list) else []:
        if (
            isinstance(edge, list)
            and len(edge) in (2, 3)
            and all(isinstance(v, int | float) for v in edge)
        ):
            i, j = (int(v) if math.isfinite(v) else -1 for v in edge[:2])
            i, j = (i, j) if ordered else (min(i, j), max(i, j))
            if i != j and min(i, j) >= 0 and max(i, j) < n_nodes:
                found[i, j] = [
                    min(max(v, WEIGHT_STEP), MAX_WEIGHT) for v in edge[2:] if math.isfinite(v)
                ]
    pairs = list(found.items())[:MAX_EDGES]
    weighted = any(weight for _, weight in pairs)
    return [
        [float(i), float(j), *((weight or [1.0]) if weighted else [])] for (i, j), weight in pairs
    ]
