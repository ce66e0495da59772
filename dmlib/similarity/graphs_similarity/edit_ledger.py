"""A graph edit distance in words and numbers: the candidates of a node, and the mapping so far."""

from __future__ import annotations

from typing import Any

from dmlib.pictures.ledger import Blocks, Formula, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.edit_distance import DELETED, EditStep
from dmlib.similarity.graphs_similarity.graphs import two_graphs, two_parts, without_loops
from dmlib.similarity.graphs_similarity.isomorphism import MAX_WORK, decided
from dmlib.similarity.graphs_similarity.nodes_scene import node_names

MAX_ROWS = 14


class Narrator:
    """Captions and ledgers of a graph edit distance.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[GraphProblem, Any]) -> None:
        self.run, self.selected = run, run.selected
        self.problem, self.model = run.problem, run.model
        self.first, self.second, self.note = two_parts(run.problem.graph)
        self.targets = range(len(self.second))
        self.names = node_names(run.problem)
        self.n_steps = len(run.trace.steps)

    def target(self, target: int) -> str:
        """Return the name of a target: a node of the second graph, or deleted."""
        return "deleted" if target == DELETED else self.names[self.second[target]]

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: EditStep = moment.step
        caption, ledger = self._done(step) if step.phase == "done" else self._expand(step)
        return caption, [*self._selected(step), *ledger]

    def _expand(self, step: EditStep) -> tuple[str, Blocks]:
        name = self.names[self.first[len(step.mapping)]]
        f = num(step.cost + step.bound)
        candidates = f"{len(step.children)} candidates"
        caption = f"The best mapping has f = {f}: node {name} is next, with {candidates}."
        sums = [g + h for _, g, h in step.children]
        rows = [(self.target(to), num(g), num(h), num(g + h)) for to, g, h in step.children]
        best = [k for k, value in enumerate(sums) if value == min(sums)]
        title = f"Candidates of {name}"
        about: dict[str, Any] = {"by": "candidate", "numbers": range(1, len(rows) + 1)}
        return caption, [
            Formula(f"f = g + h = {num(step.cost)} + {num(step.bound)} = {f}"),
            short_table(("becomes", "g", "h", "f"), rows, title, best, max_rows=MAX_ROWS, **about),
            Formula(f"{count(step.n_queued, 'mapping in the queue', 'mappings in the queue')}"),
            *self._mapping(step),
        ]

    def _mapping(self, step: EditStep) -> Blocks:
        rows = [(self.names[self.first[i]], self.target(to)) for i, to in enumerate(step.mapping)]
        if not rows:
            return []
        about: dict[str, Any] = {"by": "pair", "numbers": range(1, len(rows) + 1)}
        return [short_table(("node", "becomes"), rows, "Mapping", max_rows=MAX_ROWS, **about)]

    def _done(self, step: EditStep) -> tuple[str, Blocks]:
        n_mapped = sum(target != DELETED for target in step.mapping)
        n_deleted, n_inserted = len(step.mapping) - n_mapped, len(self.second) - n_mapped
        is_isomorphic = self.run.once("isomorphic", self._is_isomorphic)
        verdict = {
            True: "the graphs are isomorphic",
            False: "the graphs are not isomorphic",
            None: "not decided",
        }[is_isomorphic]
        nodes = f"{n_deleted} deleted, {n_inserted} inserted nodes"
        return self._result(step, is_isomorphic=bool(is_isomorphic)), [
            Formula(f"distance = {num(step.cost)}"),
            Formula(f"isomorphism test: {verdict}"),
            Formula(f"{nodes}; {self.n_steps - 1} mappings extended"),
            *self._mapping(step),
        ]

    def _is_isomorphic(self) -> bool | None:
        graphs = map(without_loops, two_graphs(self.problem.graph))
        return decided(*graphs, labels=self.model.labels, max_work=MAX_WORK)

    def _result(self, step: EditStep, *, is_isomorphic: bool) -> str:
        distance = num(step.cost) if step.exact else f"at most {num(step.cost)}"
        edits = "the cheapest" if step.exact else "these"
        result = f"{edits} edits turn one graph into the other"
        if is_isomorphic and not step.cost:
            result = "the graphs are isomorphic"
        return f"Done. The edit distance is {distance}: {result}."

    def _selected(self, step: EditStep) -> Blocks:
        if self.selected is None:
            return []
        name = self.names[self.selected]
        for i, to in enumerate(step.mapping):
            if self.first[i] == self.selected:
                return [Formula(f"{name} → {self.target(to)}")]
            if to != DELETED and self.second[to] == self.selected:
                return [Formula(f"{self.names[self.first[i]]} → {name}")]
        return [Formula(f"{name}: no partner yet")]
