"""Bayesian networks of the library, with what is observed and which node is asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dashboard.data.container import DATA, Container
from dashboard.form import Form
from dmlib.datasets.catalogue import DataKind
from dmlib.params import Choice
from dmlib.problem import prepare_network

UNKNOWN = "-"
"""The text, in a link, of a node that is not observed."""


@dataclass(frozen=True)
class Network(Container):
    """A Bayesian network and a question about it."""

    kind: ClassVar[DataKind] = "network"
    advice: ClassVar[str] = "Choose a smaller network, or variable elimination."

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Let the reader choose the target and the values of the other nodes."""
        nodes = data.nodes
        names = Choice(tuple(node.name for node in nodes))
        target = form.control(
            f"{data.name}.target", names, data.target, label="Asked about (target)", parts=DATA
        )
        evidence = {}
        for node in nodes:
            if node.name == target:
                continue
            value = form.control(
                f"{data.name}.{node.name}",
                Choice((UNKNOWN, *node.values)),
                UNKNOWN,
                label=node.name,
                names={UNKNOWN: "not observed"},
                parts=DATA,
            )
            if value != UNKNOWN:
                evidence[node.name] = value
        problem = prepare_network(nodes, target, evidence)
        code = (
            "from dmlib.problem import prepare_network\n\n"
            f"problem = prepare_network(data.nodes, {target!r}, {evidence!r})\nX = problem.data\n"
        )
        return problem, code
