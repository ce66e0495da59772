"""Graphs of whose nodes a part has a known class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dmlib.params import Number
from dmlib.problem import prepare_graph
from ui.controls import control, peek
from ui.data.container import WHOLE
from ui.data.graph import Graph
from ui.tools.tool import SEED

KNOWN = Number(0.0, 1.0, shown=(0.05, 0.95), step=0.05)


@dataclass(frozen=True)
class LabelledGraph(Graph):
    """A graph with classes of its nodes, of which the reader chooses how many are given and how many are held out.

    ``start`` may say how many are given, as ``known``.
    """

    labelled: ClassVar[bool] = True
    wanted: ClassVar[str] = (
        "Edges: two nodes on each line, and perhaps a weight; a line such as “node,,class” gives the class of a node"
    )

    def from_source(self, source: str) -> tuple[Any, str]:
        """Return the data of one of the sources, and let the reader choose how many classes are given."""
        made = super().from_source(source)
        control(
            "known", KNOWN, self._usual, label="Known labels", parts=WHOLE,
            help_text="This fraction of each class is given, at least one node; the other classes are held out for the "
            "test. The seed chooses the nodes.",
        )  # fmt: skip
        return made

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Lay the graph out, and hold classes out."""
        known, seed = peek("known", KNOWN, self._usual), peek("seed", SEED, 0)
        problem = prepare_graph(data.graph, target=data.target, labelled=True, known=known, random_state=seed)
        how = f"target=data.target, labelled=True, known={known!r}, random_state={seed}"
        return problem, (
            "from dmlib.problem import prepare_graph\n\n"
            f"problem = prepare_graph(data.graph, {how})\nX, y = problem.training.arguments\n"
        )

    @property
    def _usual(self) -> float:
        return float(self.start.get("known", "0.2"))
