"""k nearest neighbours in words and numbers: bounds, distances, neighbours and votes."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.class_ledger import table_by_class
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
DIFFERENCE = {"euclidean": "({})²", "manhattan": "|{}|", "chebyshev": "|{}|"}
"""How the difference in a column enters each metric; "minkowski" takes a power."""


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
        self.problem = problem
        self.model = model
        self.query = query
        self.vote = vote
        self.curve = curve
        self.rows = problem.training.rows + 1
        self.names = [problem.classes[code] for code in np.asarray(problem.training.y)]
        self.query_table = query_table(problem, query)
        self.name = upper_first(problem.name(query))

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: NeighborStep = moment.step
        is_first = moment.index == 0
        if step.phase == "join":
            n_new = len(step.neighbors) - len(moment.before.neighbors)
            caption, blocks = self._join(step, n_new)
        elif step.phase == "bound":
            caption, blocks = self._bounds(step)
        elif step.phase == "vote":
            caption, blocks = self._vote(step)
        elif is_first:
            caption, blocks = self._all_distances(step)
        else:
            caption, blocks = self._measured_distances(step)
        if is_first or moment.is_last:
            blocks = [*blocks, self.query_table]
        return caption, blocks

    def _bounds(self, step: NeighborStep) -> tuple[str, Blocks]:
        row = self.rows[step.pivot]
        distance = num(step.pivot_distance)
        caption = (
            f"{self.name} is {distance} from row {row}; the known distances from there to the "
            "other rows say how far each of them is at least."
        )
        inequality = Formula(
            f"By the triangle inequality, d(x, row) ≥ | d(x, {row}) − d({row}, row) |, "
            f"and d(x, {row}) = {distance}"
        )
        if self.model.metric == "cosine":
            return caption, [
                inequality,
                Formula(
                    "1 − cos breaks the triangle inequality; half "
                    "the squared chord on the circle gives it."
                ),
            ]
        order = step.bounds.argsort(kind="stable")
        if len(order) > MAX_JOINED:
            order = np.append(order[:MAX_JOINED], order[-1])
        title = "The smallest bounds, and the largest"
        return caption, [inequality, self._row_table("lower bound", step.bounds, order, title)]

    def _all_distances(self, step: NeighborStep) -> tuple[str, Blocks]:
        order = step.distances.argsort(kind="stable")
        listed = order[:MAX_JOINED]
        rows = count(len(order), "row", "rows")
        place = self.name[0].lower() + self.name[1:]
        return f"The distance from {place} to each of {rows} is measured.", [
            self._distance(step, order[0]),
            self._row_table(
                "distance", step.distances, listed, f"The nearest {len(listed)} of {rows}"
            ),
        ]

    def _measured_distances(self, step: NeighborStep) -> tuple[str, Blocks]:
        stored = len(step.distances)
        measured = int(np.isfinite(step.distances).sum())
        pruned = stored - measured
        k = self.model.n_neighbors
        last = self.vote.neighbors[-1]
        pruning = "no row can be left out"
        if pruned:
            subject = "it is" if pruned == 1 else "they are"
            pruning = (
                f"{count(pruned, 'row is', 'rows are')} left out, "
                f"because {subject} certainly farther than neighbour {k}"
            )
        rows = count(measured, "row is", "rows are")
        return f"{rows} measured, in the order of the bounds; {pruning}.", [
            LedgerTable(
                ("", "rows"),
                [("stored", stored), ("measured", measured), ("left out", pruned)],
                "Distances that are computed",
            ),
            Formula(
                f"Neighbour {k} is row {self.rows[last]}, {num(self.vote.distances[last])} away: "
                "a row with a larger bound is not measured."
            ),
        ]

    def _join(self, step: NeighborStep, n_new: int) -> tuple[str, Blocks]:
        n = len(step.neighbors)
        newest = step.neighbors[-1]
        vote = step.weights[-1]
        distance = num(step.distances[newest])
        subject = f"Neighbour {n} is row {self.rows[newest]}, {self.names[newest]},"
        if n_new > 1:
            subject = f"Neighbours {n - n_new + 1} to {n} join, the last"
        ledger: Blocks = [
            self._distance(step, newest),
            self._neighbors(step, MAX_JOINED),
            self._vote_table(step),
        ]
        power = {"distance": "", "squared_distance": "²"}.get(str(self.model.weights))
        if power is not None and step.distances[newest] > 0 and vote > 0:
            ledger.insert(1, Formula(f"vote = 1 / d{power} = 1 / {distance}{power} = {num(vote)}"))
        return f"{subject} at distance {distance}: {self._standing(step)}.", ledger

    def _vote(self, step: NeighborStep) -> tuple[str, Blocks]:
        best = float(step.votes.max())
        total = float(step.votes.sum())
        winner = self._class(step.winner or 0)
        tied = [self._class(int(c)) for c in np.flatnonzero(np.isclose(step.votes, best))]
        caption = f"{self.name} is predicted {winner}, with {num(best)} of {num(total)} votes."
        if len(tied) > 1:
            caption = (
                f"{' and '.join(tied)} have {num(best)} votes each; "
                f"the tie goes to the first of them, {winner}."
            )
        votes = [
            f"P({self._class(c)}) = {num(v)} / {num(total)} = {v / total:.4g}"
            for c, v in enumerate(step.votes)
            if v
        ]
        ledger: Blocks = [Formula(", ".join(votes)), self._vote_table(step)]
        return caption, [*ledger, self._neighbors(step, MAX_LISTED), self._errors()]

    def _class(self, index: int) -> str:
        name: str = self.problem.classes[self.model.classes_[index]]
        return name

    def _standing(self, step: NeighborStep) -> str:
        """Return which class leads, and by how many votes."""
        order = step.votes.argsort(kind="stable")[::-1]
        first = float(step.votes[order[0]])
        second = float(step.votes[order[1]]) if len(order) > 1 else 0.0
        if np.isclose(first, second):
            return (
                f"{num(first)} votes for {self._class(order[0])}, "
                f"and as many for {self._class(order[1])}"
            )
        return f"{self._class(order[0])} leads with {num(first)} to {num(second)}"

    def _row_table(self, heading: str, values: Floats, rows: Ints, title: str) -> LedgerTable:
        """Return a table of stored rows with their classes and values."""
        cells = [(int(self.rows[i]), self.names[i], float(values[i])) for i in rows]
        return numbered_table(("row", "class", heading), cells, title)

    def _vote_table(self, step: NeighborStep) -> LedgerTable:
        shares = step.votes / (step.votes.sum() or 1.0)
        columns = {"votes": map(_vote, step.votes), "share": shares}
        codes = self.model.classes_
        return table_by_class(self.problem, codes, columns, "Votes", absent=0, best=step.winner)

    def _errors(self) -> LedgerTable:
        """Return the errors at the k in use."""
        curve = self.curve
        n_train = len(self.rows)
        parts = [
            ("training", n_train, curve.train),
            ("leave-one-out", n_train, curve.leave_one_out),
        ]
        testing = self.problem.testing
        if testing is not None and curve.test is not None:
            parts.append(("test", len(testing.X), curve.test))
        k = self.model.n_neighbors
        rows = [
            (name, n, round(float(error) * n), float(error))
            for name, n, errors in parts
            for error in errors[(curve.n_neighbors == k) & np.isfinite(errors)]
        ]
        return LedgerTable(
            ("samples", "rows", "misclassified", "error"), rows, f"Errors at k = {k}"
        )

    def _neighbors(self, step: NeighborStep, max_rows: int) -> LedgerTable:
        n = len(step.neighbors)
        is_joining = step.phase == "join"
        start = max(0, n - max_rows) if is_joining else 0
        end = min(start + max_rows, n)
        rows = [
            (j + 1, int(self.rows[i]), self.names[i], float(step.distances[i]), _vote(weight))
            for j, (i, weight) in enumerate(zip(step.neighbors, step.weights, strict=True))
        ]
        title = "Neighbours by distance"
        if end - start < n:
            title = f"Neighbours {start + 1} to {end} of {n}"
        newest = [end - start - 1] if is_joining else []
        headings = ("", "row", "class", "distance", "vote")
        return numbered_table(headings, rows[start:end], title, newest)

    def _distance(self, step: NeighborStep, stored: int) -> Formula:
        """Return the distance to a stored row with the numbers put in."""
        terms = self._terms(stored)
        return Formula(f"d(x, {self.rows[stored]}) = {terms} = {num(step.distances[stored])}")

    def _terms(self, stored: int) -> str:
        model = self.model
        metric = model.effective_metric_
        if metric == "mahalanobis":
            return "√((x − a)ᵀ S⁻¹ (x − a))"
        if metric == "cosine":
            return "1 − x·a / (‖x‖ ‖a‖)"
        x = np.where(np.isnan(self.query.x), model.typical_, self.query.x)
        power = f"{model.metric_.p:g}"
        form = DIFFERENCE.get(metric, f"|{{}}|^{power}")
        terms = []
        for j, (a, b) in enumerate(zip(x[:MAX_TERMS], model.stored_[stored], strict=False)):
            values = self.problem.categories.get(j)
            if values is None:
                terms.append(form.format(f"{a:.5g} − {b:.5g}".replace("-", "−")))
            elif a == b:
                terms.append(f"0 ({values[int(a)]})")
            else:
                terms.append(f"1 ({values[int(a)]} ≠ {values[int(b)]})")
        if len(x) > MAX_TERMS:
            terms.append("…")
        if metric == "chebyshev":
            return f"max({', '.join(terms)})"
        total = " + ".join(terms)
        if metric == "manhattan":
            return total
        return f"√({total})" if metric == "euclidean" else f"({total})^(1/{power})"


def _vote(weight: float) -> int | float:
    """Return a vote; integers without a decimal point."""
    return int(weight) if float(weight).is_integer() and weight < 1e6 else float(weight)
