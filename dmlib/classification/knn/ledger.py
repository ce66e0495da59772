"""The words and the arithmetic beside the picture of k nearest neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.classification.knn.algorithm import KNeighborsClassifier, NeighborStep
from dmlib.classification.knn.error_curve import ErrorCurve
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table
from dmlib.pictures.regions import query_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, upper_first
from dmlib.problem import Problem, Query

LAST = 8  # neighbours listed while they join
MOST_LISTED = 30  # neighbours listed at the end
MOST_TERMS = 4  # columns whose difference is written out


class Teller:
    """Tells in words and numbers how neighbours decide.

    The model is fitted to the training samples, ``last`` is the vote, and ``curve`` has the error at the k in use.
    """

    def __init__(
        self, problem: Problem, model: KNeighborsClassifier, query: Query, last: NeighborStep, curve: ErrorCurve
    ) -> None:
        self.problem, self.model, self.query, self.last, self.curve = problem, model, query, last, curve
        self.rows = problem.training.rows + 1
        self.names = [problem.classes[code] for code in problem.training.y]
        self.asked = query_table(problem, query)
        name = problem.name(query)
        self.name = upper_first(name)

    def frame(self, step: NeighborStep, before: NeighborStep) -> Frame:
        """Return caption and ledger of a step, which comes after another."""
        measure = self._measure_all if step is before else self._measure_some
        tell = {"bound": self._bound, "measure": measure, "join": self._join, "vote": self._vote}[step.phase]
        caption, ledger = tell(step, before)
        more = [self.asked] if step is before or step.phase == "vote" else []
        return Frame(caption, [*ledger, *more], step.phase)

    def _bound(self, step: NeighborStep, before: NeighborStep) -> tuple[str, Blocks]:
        row, away = self.rows[step.pivot], num(step.pivot_distance)
        order = step.bounds.argsort(kind="stable")
        order = np.append(order[:LAST], order[-1]) if len(order) > LAST else order
        table = [(int(self.rows[i]), self.names[i], float(step.bounds[i])) for i in order]
        ledger: Blocks = [
            Formula(
                f"By the triangle inequality, d(x, row) ≥ | d(x, {row}) − d({row}, row) |, and d(x, {row}) = {away}"
            ),
            numbered_table(("row", "class", "lower bound"), table, "The smallest bounds, and the largest"),
        ]
        if self.model.metric == "cosine":
            ledger[1] = Formula(
                "1 − cos breaks the triangle inequality; half the squared chord on the circle gives it."
            )
        return (
            f"{self.name} is {away} from row {row}; the known distances from there to the other rows "
            "say how far each of them is at least."
        ), ledger

    def _measure_all(self, step: NeighborStep, before: NeighborStep) -> tuple[str, Blocks]:
        order = step.distances.argsort(kind="stable")
        nearest, n = order[0], len(order)
        table = [(int(self.rows[i]), self.names[i], float(step.distances[i])) for i in order[:LAST]]
        ledger: Blocks = [
            Formula(f"d(x, {self.rows[nearest]}) = {self._terms(nearest)} = {num(step.distances[nearest])}"),
            numbered_table(
                ("row", "class", "distance"), table, f"The nearest {len(table)} of {count(n, 'row', 'rows')}"
            ),
        ]
        place = self.name[0].lower() + self.name[1:]
        return f"The distance from {place} to each of {count(n, 'row', 'rows')} is measured.", ledger

    def _measure_some(self, step: NeighborStep, before: NeighborStep) -> tuple[str, Blocks]:
        measured = int(np.isfinite(step.distances).sum())
        pruned, k = len(step.distances) - measured, self.model.n_neighbors
        last = self.last.neighbors[-1]
        reach = float(self.last.distances[last])
        pruning = "no row can be left out"
        if pruned:
            pruning = (
                f"{count(pruned, 'row is', 'rows are')} left out, because {'it is' if pruned == 1 else 'they are'}"
            )
            pruning += f" certainly farther than neighbour {k}"
        ledger: Blocks = [
            LedgerTable(
                ("", "rows"),
                [("stored", len(step.distances)), ("measured", measured), ("left out", pruned)],
                "Distances that are computed",
            ),
            Formula(
                f"Neighbour {k} is row {self.rows[last]}, {num(reach)} away: a row with a larger bound is not measured."
            ),
        ]
        return f"{count(measured, 'row is', 'rows are')} measured, in the order of the bounds; {pruning}.", ledger

    def _join(self, step: NeighborStep, before: NeighborStep) -> tuple[str, Blocks]:
        n, newest = len(step.neighbors), step.neighbors[-1]
        many = n - len(before.neighbors)
        row, name, distance = self.rows[newest], self.names[newest], num(step.distances[newest])
        caption = f"Neighbour {n} is row {row}, {name}, at distance {distance}: {self._standing(step)}."
        if many > 1:
            caption = f"Neighbours {n - many + 1} to {n} join, the last at distance {distance}: {self._standing(step)}."
        ledger: Blocks = [
            Formula(f"d(x, {row}) = {self._terms(newest)} = {distance}"),
            self._neighbors(step, LAST),
            self._vote_table(step),
        ]
        if self.model.weights == "distance" and float(step.distances[newest]) > 0 and step.weights[-1] > 0:
            ledger.insert(1, Formula(f"vote = 1 / d = 1 / {distance} = {num(step.weights[-1])}"))
        return caption, ledger

    def _vote(self, step: NeighborStep, before: NeighborStep) -> tuple[str, Blocks]:
        best, total = float(step.votes.max()), float(step.votes.sum())
        winner = self._class(step.winner)
        tied = [self._class(c) for c in np.flatnonzero(np.isclose(step.votes, best))]
        caption = f"{self.name} is predicted {winner}, with {num(best)} of {num(total)} votes."
        if len(tied) > 1:
            caption = f"{' and '.join(tied)} have {num(best)} votes each; the tie goes to the first of them, {winner}."
        votes = [
            f"P({self._class(c)}) = {num(v)} / {num(total)} = {v / total:.4g}" for c, v in enumerate(step.votes) if v
        ]
        ledger: Blocks = [Formula(", ".join(votes)), self._vote_table(step)]
        return caption, [*ledger, self._neighbors(step, MOST_LISTED), self._errors()]

    def _class(self, index: Any) -> str:
        name: str = self.problem.classes[self.model.classes_[index]]
        return name

    def _standing(self, step: NeighborStep) -> str:
        """Return who leads."""
        order = step.votes.argsort(kind="stable")[::-1]
        first = float(step.votes[order[0]])
        second = float(step.votes[order[1]]) if len(order) > 1 else 0.0
        if np.isclose(first, second):
            return f"{num(first)} votes for {self._class(order[0])}, and as many for {self._class(order[1])}"
        return f"{self._class(order[0])} leads with {num(first)} to {num(second)}"

    def _vote_table(self, step: NeighborStep) -> LedgerTable:
        votes = np.zeros(len(self.problem.classes))
        votes[self.model.classes_] = step.votes
        total = votes.sum() or 1.0
        rows = [(name, _vote(v), float(v / total)) for name, v in zip(self.problem.classes, votes, strict=True)]
        leader = [] if step.winner is None else [int(self.model.classes_[step.winner])]
        return LedgerTable(("class", "votes", "share"), rows, "Votes", leader, classes=True)

    def _errors(self) -> LedgerTable:
        """Return the errors at the k in use."""
        curve, k = self.curve, self.model.n_neighbors
        learned, held = len(self.rows), 0 if self.problem.testing is None else len(self.problem.testing.X)
        parts = [("training", learned, curve.train), ("leave-one-out", learned, curve.leave_one_out)]
        if curve.test is not None:
            parts.append(("test", held, curve.test))
        rows = [
            (name, n, round(float(error) * n), float(error))
            for name, n, errors in parts
            for error in errors[(curve.n_neighbors == k) & np.isfinite(errors)]
        ]
        return LedgerTable(("samples", "rows", "wrong", "error"), rows, f"Errors at k = {k}")

    def _neighbors(self, step: NeighborStep, most: int) -> LedgerTable:
        n = len(step.neighbors)
        first = max(0, n - most) if step.phase == "join" else 0
        rows = [
            (j + 1, int(self.rows[i]), self.names[i], float(step.distances[i]), _vote(step.weights[j]))
            for j, i in enumerate(step.neighbors)
        ][first : first + most]
        title = "Neighbours by distance" if len(rows) == n else f"Neighbours {rows[0][0]} to {rows[-1][0]} of {n}"
        newest = [len(rows) - 1] if step.phase == "join" else []
        return numbered_table(("", "row", "class", "distance", "vote"), rows, title, newest)

    def _terms(self, stored: int) -> str:
        """Return the distance to a stored row with the numbers put in."""
        problem, model = self.problem, self.model
        metric = model.effective_metric_
        if metric in ("mahalanobis", "cosine"):
            return "√((x − a)ᵀ S⁻¹ (x − a))" if metric == "mahalanobis" else "1 − x·a / (‖x‖ ‖a‖)"
        x = np.where(np.isnan(self.query.x), model.typical_, self.query.x)
        terms = []
        for j, (one, other) in enumerate(zip(x[:MOST_TERMS], model.stored_[stored], strict=False)):
            if j in problem.categories:
                a, b = problem.categories[j][int(one)], problem.categories[j][int(other)]
                terms.append(f"0 ({a})" if one == other else f"1 ({a} ≠ {b})")
            else:
                terms.append(f"({one:.5g} − {other:.5g})".replace("-", "−"))
        return _sum(terms, metric, model.metric_.p, len(x) > MOST_TERMS)


def _sum(terms: Sequence[str], metric: str, p: float, more: bool) -> str:
    """Return the terms of a distance, put together as the metric does."""
    numbers = [term.startswith("(") for term in terms]
    absolute = [f"|{term[1:-1]}|" if number else term for term, number in zip(terms, numbers, strict=True)]
    rest = ["…"] if more else []
    if metric == "chebyshev":
        return f"max({', '.join([*absolute, *rest])})"
    if metric == "manhattan":
        return " + ".join([*absolute, *rest])
    if metric == "euclidean":
        squares = [f"{term}²" if number else term for term, number in zip(terms, numbers, strict=True)]
        return f"√({' + '.join([*squares, *rest])})"
    powers = [f"{term}^{p:g}" if number else term for term, number in zip(absolute, numbers, strict=True)]
    return f"({' + '.join([*powers, *rest])})^(1/{p:g})"


def _vote(weight: Any) -> int | float:
    """Return a vote; whole ones without a decimal point."""
    return int(weight) if float(weight).is_integer() and weight < 1e6 else float(weight)
