"""Graphs: from the library, a generator, drawn by clicking and joining, or from a file of edges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dashboard.data.container import DATA, Container
from dashboard.data.guesses import GUESS
from dashboard.data.kind import Chosen
from dashboard.data.points import CLASSES, edit_spec
from dashboard.form import Form
from dashboard.messages import finite_points
from dashboard.settings import Settings
from dmlib.datasets import decode_graph, drawn_graph, encode_graph
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.drawn import DRAW_BOX, DRAW_STEP
from dmlib.datasets.drawn.graph import MAX_EDGES, MAX_WEIGHT, WEIGHT_STEP
from dmlib.datasets.reading.others import GRAPH_WORDS
from dmlib.params import Choice, Flag
from dmlib.pictures.scene import Scene
from dmlib.problem import graph_names, prepare_graph

GRAPH, DIRECTED = "graph", "directed"
MAX_DRAWN = 60
PAIR = {"graphs.first": "First graph", "graphs.second": "Second graph"}
ALL = "(all)"
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
    pairs, singles : tuple of str
        The methods that take two graphs where the data hold many, and those that may take one.
    method : str
        The method of the page.
    """

    first: str = FIRST
    directions: bool = False
    pairs: tuple[str, ...] = ()
    singles: tuple[str, ...] = ()
    method: str = ""

    kind: ClassVar[DataKind] = "graph"
    advice: ClassVar[str] = "Choose a graph of fewer nodes and edges, or fewer clusters."
    accepts: ClassVar[tuple[str, ...]] = (
        *(".csv", ".txt", ".tsv", ".edges", ".xlsx", ".ods", ".graphml", ".gml"),
        *(".mtx", ".net", ".graph", ".col", ".gr"),
    )
    content: ClassVar[str] = (
        "Edges: two nodes on each line, and perhaps a weight; an adjacency matrix; "
        "or GraphML, GML, MatrixMarket, Pajek, METIS or DIMACS"
    )
    reader: ClassVar[str] = "read_graph"

    def of(self, method: str) -> Graph:
        """Return what a method takes: of many graphs perhaps two, or one."""
        return replace(self, method=method)

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Lay the graph out; of many, let the reader choose those that the method takes."""
        graphs = self._chosen_graphs(data, form)
        problem = prepare_graph(
            data.graph, target=data.target, graphs=graphs, random_state=form.seed
        )
        arguments = f"data.graph, target=data.target, random_state={form.seed}"
        arguments += f", graphs={graphs!r}" if graphs else ""
        code = (
            "from dmlib.problem import prepare_graph\n\n"
            f"problem = prepare_graph({arguments})\nX = {'problem' if graphs else 'data'}.graph\n"
        )
        return problem, code

    def _chosen_graphs(self, data: Any, form: Form) -> tuple[str, ...] | None:
        """Return the names of the graphs that are compared, or of one; None for all."""
        names = graph_names(data.graph)
        if self.method in self.pairs and len(names) > 2:
            return tuple(
                form.control(key, Choice(names), names[i], label=label, parts=DATA)
                for i, (key, label) in enumerate(PAIR.items())
            )
        if self.method in self.singles and len(names) > 1:
            spec = Choice((ALL, *names))
            shown = {ALL: "all graphs"}
            name = form.control("graphs.one", spec, ALL, label="Graph", names=shown, parts=DATA)
            return None if name == ALL else (name,)
        return None

    def from_source(self, source: str, form: Form) -> tuple[Any, str]:
        """Return the data of a source; of some the reader says whether edges have directions."""
        if self.directions and source in ("draw", "upload"):
            form.control(
                DIRECTED,
                Flag(),
                False,
                label="Edges have directions",
                parts=DATA,
                help_text=(
                    "An edge leads from its first node to its second, in the order of the clicks or"
                    " of the file."
                ),
            )
        return super().from_source(source, form)

    def _is_directed(self, form: Form) -> bool:
        return self.directions and bool(form.peek(DIRECTED, Flag(), False))

    def _points(self, form: Form) -> Any:
        """Return the nodes and the edges that were drawn."""
        return form.value(GRAPH, decode_graph, decode_graph(self.first))

    def decided(self, form: Form, file_id: str) -> Mapping[str, Any]:
        """Return whether edges of a file have directions; let the reader decide what it holds."""
        forms = {GUESS: None, **{words: form_ for form_, words in GRAPH_WORDS.items()}}
        with form.expander("Decide what was guessed"):
            holds = forms[form.select(f"graph.form.{file_id}", "The file holds", list(forms))]
        directed = {"directed": True} if self._is_directed(form) else {}
        return directed if holds is None else {**directed, "options": {"form": holds}}

    def from_hand(self, form: Form) -> tuple[Any, str]:
        """Return the graph that was drawn on the stage."""
        parts, directed = self._points(form), self._is_directed(form)
        if not len(parts[0]):
            raise ValueError(
                "Draw a node: click on the picture. With Join, clicks on two nodes make an edge."
            )
        arguments = f"*decode_graph({encode_graph(*parts)!r})"
        arguments += ", directed=True" if directed else ""
        code = (
            "from dmlib.datasets import decode_graph, drawn_graph\n\n"
            f"data = drawn_graph({arguments})\n"
        )
        return drawn_graph(*parts, directed=directed), code

    def picture(self, problem: Any, caption: str) -> Scene:
        """Return the data alone.

        An empty stage has no numbers at its axes, as a graph has none: nothing moves then.
        """
        scene = super().picture(problem, caption)
        if problem is not None:
            return scene
        bare = [
            replace(panel, x=replace(panel.x, label=""), y=replace(panel.y, label=""))
            for panel in scene.panels
        ]
        return replace(scene, panels=bare)

    def offers(self, chosen: Chosen, settings: Settings) -> Mapping[str, Any]:
        """Let the stage draw nodes and edges."""
        if chosen.source != "draw":
            return {}
        nodes, edges = self._points(Form(settings))
        low, high = DRAW_BOX
        details = {
            "label": "Draw graph",
            "edges": [list(map(float, edge)) for edge in edges],
            "directed": self._is_directed(Form(settings)),
            "max": MAX_DRAWN,
            "classes": [str(i + 1) for i in range(CLASSES)],
            "box": [low, high, low, high],
            "step": DRAW_STEP,
        }
        points = [list(map(float, node)) for node in nodes]
        return {"edit": edit_spec(settings, GRAPH, points) | details}

    def change(self, settings: Settings, message: Mapping[str, Any]) -> Settings | None:
        """Take over drawn nodes and edges."""
        if message.get("base") != GRAPH:
            return None
        nodes = finite_points(message.get("points"))[:MAX_DRAWN]
        is_directed = self._is_directed(Form(settings))
        edges = well_formed_edges(message.get("edges"), len(nodes), is_directed)
        nodes[:, :2] = nodes[:, :2].clip(*DRAW_BOX)
        nodes[:, 2] = nodes[:, 2].clip(0, CLASSES - 1).round()
        return settings.with_text(GRAPH, encode_graph(nodes, edges))


def well_formed_edges(raw: Any, n_nodes: int, is_directed: bool) -> list[list[float]]:
    """Return the edges between nodes that exist; where some have weights, the others weigh 1."""
    weights: dict[tuple[int, int], list[float]] = {}
    for edge in filter(_is_edge, raw if isinstance(raw, list) else []):
        i, j = _ends(edge, is_directed)
        if i != j and min(i, j) >= 0 and max(i, j) < n_nodes:
            weights[i, j] = [_allowed(weight) for weight in edge[2:] if math.isfinite(weight)]
    edges = list(weights.items())[:MAX_EDGES]
    default = [1.0] if any(weight for _, weight in edges) else []
    return [[float(i), float(j), *(weight or default)] for (i, j), weight in edges]


def _is_edge(raw: Any) -> bool:
    is_list = isinstance(raw, list) and len(raw) in (2, 3)
    return is_list and all(isinstance(value, int | float) for value in raw)


def _ends(edge: list[float], is_directed: bool) -> tuple[int, int]:
    """Return the numbers of the two nodes; an undirected edge has the smaller one first."""
    i, j = (int(end) if math.isfinite(end) else -1 for end in edge[:2])
    return (i, j) if is_directed or i <= j else (j, i)


def _allowed(weight: float) -> float:
    return min(max(weight, WEIGHT_STEP), MAX_WEIGHT)
