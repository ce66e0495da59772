"""Graphs of whose nodes a part has a known class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dmlib.datasets import class_attributes
from dmlib.params import Choice, Number
from dmlib.problem import prepare_graph
from ui.controls import control, peek
from ui.data.container import WHOLE
from ui.data.graph import Graph
from ui.tools.tool import SEED

KNOWN = Number(0.0, 1.0, shown=(0.05, 0.95), step=0.05)
COMMUNITIES = "(communities)"


@dataclass(frozen=True)
class LabelledGraph(Graph):
    """A graph with classes of its nodes, of which the reader chooses how many are given and how many are held out.

    Where nodes have several attributes, the reader also chooses which of them are the classes.
    ``start`` may say how many are given, as ``known``.
    """

    labelled: ClassVar[bool] = True
    wanted: ClassVar[str] = (
        "Edges: two nodes on each line, and perhaps a weight; a line such as “node,,class” gives"
        " the class of a node. Or GraphML or GML, whose nodes have attributes; or an adjacency"
        " matrix"
    )

    def from_source(self, source: str) -> tuple[Any, str]:
        """Return the data of one of the sources, and let the reader choose how many classes are given."""
        made = super().from_source(source)
        control(
            "known",
            KNOWN,
            self._usual,
            label="Known labels",
            parts=WHOLE,
            help_text=(
                "This fraction of each class is given, at least one node; the other classes are"
                " held out for the test. The seed chooses the nodes."
            ),
        )
        spec, usual = _attributes(made[0])
        if len(spec.options) > 1:
            control(
                "labels",
                spec,
                usual,
                label="Classes of the nodes",
                parts=WHOLE,
                names={COMMUNITIES: "communities"},
                help_text=(
                    "The attribute of the nodes that is predicted; communities are found by greedy"
                    " modularity."
                ),
            )
        return made

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Lay the graph out, and hold classes out."""
        known, seed = peek("known", KNOWN, self._usual), peek("seed", SEED, 0)
        spec, usual = _attributes(data)
        name = peek("labels", spec, usual)
        target = None if name == COMMUNITIES else name
        problem = prepare_graph(
            data.graph, target=target, labelled=True, known_share=known, random_state=seed
        )
        said = "data.target" if target == data.target else repr(target)
        how = f"target={said}, labelled=True, known_share={known!r}, random_state={seed}"
        return (
            problem,
            (
                "from dmlib.problem import prepare_graph\n\n"
                f"problem = prepare_graph(data.graph, {how})\nX, y = problem.training.arguments\n"
            ),
        )

    @property
    def _usual(self) -> float:
        return float(self.start.get("known", "0.2"))


def _attributes(data: Any) -> tuple[Choice, str]:
    """Return what the classes of the nodes can be, and what they are unless the reader decides."""
    found = class_attributes(data.graph)
    names = found if data.target is None or data.target in found else (data.target, *found)
    return Choice((*names, COMMUNITIES)), data.target or COMMUNITIES
