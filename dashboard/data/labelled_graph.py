"""Graphs of whose nodes a part has a known class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dashboard.data.container import DATA
from dashboard.data.graph import Graph
from dashboard.form import Form
from dmlib.datasets import class_attributes
from dmlib.params import Choice, Number
from dmlib.problem import prepare_graph

KNOWN_SHARE = Number(0.0, 1.0, shown=(0.05, 0.95), step=0.05)
COMMUNITIES = "(communities)"


@dataclass(frozen=True)
class LabelledGraph(Graph):
    """A graph with classes of its nodes, of which some are given and the others held out.

    Where nodes have several attributes, the reader also chooses which of them are the classes.
    ``start`` may say how many are given, as ``known``.
    """

    labelled: ClassVar[bool] = True
    content: ClassVar[str] = (
        "Edges: two nodes on each line, and perhaps a weight; a line such as “node,,class” gives"
        " the class of a node. Or GraphML or GML, whose nodes have attributes; or an adjacency"
        " matrix"
    )

    def from_source(self, source: str, form: Form) -> tuple[Any, str]:
        """Return the data of a source, and let the reader choose how many classes are given."""
        data, code = super().from_source(source, form)
        form.control(
            "known",
            KNOWN_SHARE,
            self._usual_fraction,
            label="Known labels",
            parts=DATA,
            help_text=(
                "This fraction of each class is given, at least one node; the other classes are"
                " held out for the test. The seed chooses the nodes."
            ),
        )
        spec, default = _attributes(data)
        if len(spec.options) > 1:
            form.control(
                "labels",
                spec,
                default,
                label="Classes of the nodes",
                parts=DATA,
                names={COMMUNITIES: "communities"},
                help_text=(
                    "The attribute of the nodes that is predicted; communities are found by greedy"
                    " modularity."
                ),
            )
        return data, code

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Lay the graph out, and hold classes out."""
        known_share = form.peek("known", KNOWN_SHARE, self._usual_fraction)
        name = form.peek("labels", *_attributes(data))
        target = None if name == COMMUNITIES else name
        problem = prepare_graph(
            data.graph,
            target=target,
            labelled=True,
            known_share=known_share,
            random_state=form.seed,
        )
        target_code = "data.target" if target == data.target else repr(target)
        share = f"labelled=True, known_share={known_share!r}"
        arguments = f"target={target_code}, {share}, random_state={form.seed}"
        code = (
            "from dmlib.problem import prepare_graph\n\n"
            f"problem = prepare_graph(data.graph, {arguments})\nX, y = problem.training.arguments\n"
        )
        return problem, code

    @property
    def _usual_fraction(self) -> float:
        return float(self.start.get("known", "0.2"))


def _attributes(data: Any) -> tuple[Choice, str]:
    """Return what the classes of the nodes can be, and what they are unless the reader decides."""
    names = class_attributes(data.graph)
    if data.target is not None and data.target not in names:
        names = (data.target, *names)
    return Choice((*names, COMMUNITIES)), data.target or COMMUNITIES
