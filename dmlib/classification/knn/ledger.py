"""k nearest neighbours in words and numbers: bounds, distances, neighbours and votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.classification.knn.algorithm import KNeighborsClassifier, NeighborStep
from dmlib.classification.knn.error_curve import ErrorCurve
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table
from dmlib.pictures.regions import query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, upper_first
from dmlib.problem import Problem, Query

MAX_JOINED = 8  # neighbours listed while they join
MAX_LISTED = 30  # neighbours listed at the end
MAX_TERMS = 4  # columns whose difference is written out


class Narrator:
    """Captions and ledgers of k nearest neighbours.

    Parameters
    ----------
    problem : Problem
        The data.
    model : KNeighborsClassifier
        Fitted to the training rows.
    query : Query
        The place or row that is classified.
    vote : NeighborStep
        The last step.
    curve : ErrorCurve
        The errors, that at the k in use among them.
    """

    def __init__(
        self,
        problem: Problem,
        model: KNeighborsClassifier,
        query: Query,
        vote: NeighborStep,
        curve: ErrorCurve,
    ) -> None:
        self.problem, self.model, self.query = problem, model, query
        self.vote, self.curve = vote, curve
        self.rows = problem.training.rows + 1
        self.names = [problem.classes[code] for code in problem.training.y]
        self.query_table = query_table(problem, query)
        self.name = upper_first(problem.name(query))

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: NeighborStep = now.step
        is_first = now.index == 0
        if step.phase == "join":
            caption, blocks = self._join(step, len(step.neighbors) - len(now.before.neighbors))
        elif step.phase == "measure":
            caption, blocks = (
                self._all_distances(step) if is_first else self._measured_distances(step)
            )
        else:
            caption, blocks = self._bounds(step) if step.phase == "bound" else self._vote(step)
        if is_first or now.is_last:
            blocks = [*blocks, self.query_table]
        return caption, blocks

    def _bounds(self, step: NeighborStep) -> tuple[str, Blocks]:
        row, away = self.rows[step.pivot], num(step.pivot_distance)
        order = step.bounds.argsort(kind="stable")
        order = np.append(order[:MAX_JOINED], order[-1]) if len(order) > MAX_JOINED else order
        table = [(int(self.rows[i]), self.names[i], float(step.bounds[i])) for i in order]
        ledger: Blocks = [
            Formula(
                f"By the triangle inequality, d(x, row) ≥ | d(x, {row}) − d({row}, row) |, and d(x,"
                f" {row}) = {away}"
            ),
            numbered_table(
                ("row", "class", "lower bound"), table, "The smallest bounds, and the largest"
            ),
        ]
        if self.model.metric == "cosine":
            ledger[1] = Formula(
                "1 − cos breaks the triangle inequality; half the squared chord on the circle"
                " gives it."
            )
        return (
            (
                f"{self.name} is {away} from row {row}; the known distances from there to the other"
                " rows say how far each of them is at least."
            ),
            ledger,
        )

    def _all_distances(self, step: NeighborStep) -> tuple[str, Blocks]:
        order = step.distances.argsort(kind="stable")
        nearest, n = order[0], len(order)
        table = [
            (int(self.rows[i]), self.names[i], float(step.distances[i])) for i in order[:MAX_JOINED]
        ]
        ledger: Blocks = [
            Formula(
                f"d(x, {self.rows[nearest]}) = {self._terms(nearest)} ="
                f" {num(step.distances[nearest])}"
            ),
            numbered_table(
                ("row", "class", "distance"),
                table,
                f"The nearest {len(table)} of {count(n, 'row', 'rows')}",
            ),
        ]
        place = self.name[0].lower() + self.name[1:]
        return (
            f"The distance from {place} to each of {count(n, 'row', 'rows')} is measured.",
            ledger,
        )

    def _measured_distances(self, step: NeighborStep) -> tuple[str, Blocks]:
        measured = int(np.isfinite(step.distances).sum())
        pruned, k = len(step.distances) - measured, self.model.n_neighbors
        last = self.vote.neighbors[-1]
        reach = float(self.vote.distances[last])
        pruning = "no row can be left out"
        if pruned:
            pruning = (
                f"{count(pruned, 'row is', 'rows are')} left out, because"
                f" {'it is' if pruned == 1 else 'they are'}"
            )
            pruning += f" certainly farther than neighbour {k}"
        ledger: Blocks = [
            LedgerTable(
                ("", "rows"),
                [("stored", len(step.distances)), ("measured", measured), ("left out", pruned)],
                "Distances that are computed",
            ),
            Formula(
                f"Neighbour {k} is row {self.rows[last]}, {num(reach)} away: a row with a larger"
                " bound is not measured."
            ),
        ]
        return (
            (
                f"{count(measured, 'row is', 'rows are')} measured, in the order of the bounds;"
                f" {pruning}."
            ),
            ledger,
        )

    def _join(self, step: NeighborStep, n_new: int) -> tuple[str, Blocks]:
        n, newest = len(step.neighbors), step.neighbors[-1]
        row, name, distance = self.rows[newest], self.names[newest], num(step.distances[newest])
        caption = (
            f"Neighbour {n} is row {row}, {name}, at distance {distance}: {self._standing(step)}."
        )
        if n_new > 1:
            caption = (
                f"Neighbours {n - n_new + 1} to {n} join, the last at distance {distance}:"
                f" {self._standing(step)}."
            )
        ledger: Blocks = [
            Formula(f"d(x, {row}) = {self._terms(newest)} = {distance}"),
            self._neighbors(step, MAX_JOINED),
            self._vote_table(step),
        ]
        if (
            self.model.weights == "distance"
            and float(step.distances[newest]) > 0
            and step.weights[-1] > 0
        ):
            ledger.insert(1, Formula(f"vote = 1 / d = 1 / {distance} = {num(step.weights[-1])}"))
        return caption, ledger

    def _vote(self, step: NeighborStep) -> tuple[str, Blocks]:
        best, total = float(step.votes.max()), float(step.votes.sum())
        winner = self._class(step.winner)
        tied = [self._class(c) for c in np.flatnonzero(np.isclose(step.votes, best))]
        caption = f"{self.name} is predicted {winner}, with {num(best)} of {num(total)} votes."
        if len(tied) > 1:
            caption = (
                f"{' and '.join(tied)} have {num(best)} votes each; the tie goes to the first of"
                f" them, {winner}."
            )
        votes = [
            f"P({self._class(c)}) = {num(v)} / {num(total)} = {v / total:.4g}"
            for c, v in enumerate(step.votes)
            if v
        ]
        ledger: Blocks = [Formula(", ".join(votes)), self._vote_table(step)]
        return caption, [*ledger, self._neighbors(step, MAX_LISTED), self._errors()]

    def _class(self, index: Any) -> str:
        name: str = self.problem.classes[self.model.classes_[index]]
        return name

    def _standing(self, step: NeighborStep) -> str:
        """Return who leads."""
        order = step.votes.argsort(kind="stable")[::-1]
        first = float(step.votes[order[0]])
        second = float(step.votes[order[1]]) if len(order) > 1 else 0.0
        if np.isclose(first, second):
            return (
                f"{num(first)} votes for {self._class(order[0])}, and as many for"
                f" {self._class(order[1])}"
            )
        return f"{self._class(order[0])} leads with {num(first)} to {num(second)}"

    def _vote_table(self, step: NeighborStep) -> LedgerTable:
        votes = np.zeros(len(self.problem.classes))
        votes[self.model.classes_] = step.votes
        total = votes.sum() or 1.0
        rows = [
            (name, _vote(v), float(v / total))
            for name, v in zip(self.problem.classes, votes, strict=True)
        ]
        leader = [] if step.winner is None else [int(self.model.classes_[step.winner])]
        return LedgerTable(("class", "votes", "share"), rows, "Votes", leader, classes=True)

    def _errors(self) -> LedgerTable:
        """Return the errors at the k in use."""
        curve, k = self.curve, self.model.n_neighbors
        n_train = len(self.rows)
        parts = [
            ("training", n_train, curve.train),
            ("leave-one-out", n_train, curve.leave_one_out),
        ]
        testing = self.problem.testing
        if testing is not None and curve.test is not None:
            parts.append(("test", len(testing.X), curve.test))
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
            (
                j + 1,
                int(self.rows[i]),
                self.names[i],
                float(step.distances[i]),
                _vote(step.weights[j]),
            )
            for j, i in enumerate(step.neighbors)
        ][first : first + most]
        title = (
            "Neighbours by distance"
            if len(rows) == n
            else f"Neighbours {rows[0][0]} to {rows[-1][0]} of {n}"
        )
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
        for j, (a, b) in enumerate(zip(x[:MAX_TERMS], model.stored_[stored], strict=False)):
            if j in problem.categories:
                names = problem.categories[j]
                terms.append(
                    f"0 ({names[int(a)]})" if a == b else f"1 ({names[int(a)]} ≠ {names[int(b)]})"
                )
            else:
                terms.append(f"({a:.5g} − {b:.5g})".replace("-", "−"))
        return _sum(terms, metric, model.metric_.p, len(x) > MAX_TERMS)


def _sum(terms: Sequence[str], metric: str, p: float, is_cut: bool) -> str:
    """Return the terms of a distance, put together as the metric does."""
    numbers = [term.startswith("(") for term in terms]
    absolute = [
        f"|{term[1:-1]}|" if number else term for term, number in zip(terms, numbers, strict=True)
    ]
    dots = ["…"] if is_cut else []
    if metric == "chebyshev":
        return f"max({', '.join([*absolute, *dots])})"
    if metric == "manhattan":
        return " + ".join([*absolute, *dots])
    if metric == "euclidean":
        squares = [
            f"{term}²" if number else term for term, number in zip(terms, numbers, strict=True)
        ]
        return f"√({' + '.join([*squares, *dots])})"
    powers = [
        f"{term}^{p:g}" if number else term for term, number in zip(absolute, numbers, strict=True)
    ]
    return f"({' + '.join([*powers, *dots])})^(1/{p:g})"


def _vote(weight: Any) -> int | float:
    """Return a vote; whole ones without a decimal point."""
    return int(weight) if float(weight).is_integer() and weight < 1e6 else float(weight)
