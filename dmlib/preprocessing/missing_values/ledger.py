"""The sentences and the arithmetic of a filled hole."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, numbered_table
from dmlib.pictures.words import count, num, num4, short, signed
from dmlib.preprocessing import ImputerStep
from dmlib.problem import Problem

MOST_TERMS = 5
SAID = {"mean": "mean", "median": "median", "mode": "mode"}


class Teller:
    """What is said of each step of a fitted imputer."""

    def __init__(self, problem: Problem, model: Any) -> None:
        self.problem, self.model = problem, model
        self.X, self.names = problem.X, problem.features

    def shown(self, column: int, value: float) -> str:
        """Return a value as people write it."""
        names = self.problem.categories.get(column)
        if not names:
            return num(value)
        return names[int(value)] if int(value) < len(names) else "missing"

    def cell(self, step: ImputerStep) -> str:
        """Return the name of a cell."""
        return f"{self.names[step.column]} of row {self.problem.rows[step.row] + 1}"

    def caption(self, step: ImputerStep) -> str:
        """Return the sentence of a step."""
        n, m = self.X.shape
        if step.phase == "holes":
            holes = self.model.n_holes_
            if not holes:
                return f"All {n * m} cells are known: there is nothing to impute."
            verb = "is" if holes == 1 else "are"
            return f"{holes} of {n * m} cells {verb} missing, and {self.model.n_complete_} of {n} rows are complete."
        if step.phase == "leave":
            return (
                f"Row {self.problem.rows[step.row] + 1} has a missing value and is left out, with all its known values."
            )
        if step.phase == "done":
            return self._end(step)
        value, cell = self.shown(step.column, step.value), self.cell(step)
        column = self.names[step.column]
        if step.phase == "statistic":
            return f"{cell} becomes {value}, the {self._statistic(step.column)} of {column}."
        return {
            "draw": f"{cell} becomes {value}, drawn at random from the known values of {column}.",
            "neighbours": f"{cell} becomes {value}, {self._of_rows(step)}.",
            "regress": f"{cell} becomes {value}, predicted from the other columns of its row.",
            "own": f"{cell} becomes {value}"
            + (
                ", a category of its own."
                if column_is(self.problem, step)
                else ", and an indicator column marks the missing value."
            ),
        }[step.phase]

    def _end(self, step: ImputerStep) -> str:
        if self.model.strategy == "drop":
            left = len(self.X) - step.n_done
            return f"{count(step.n_done, 'row is', 'rows are')} left out, and {left} of {len(self.X)} are left."
        if not step.n_done:
            return "There was no missing value, so the table is unchanged."
        return f"{count(step.n_done, 'value is', 'values are')} imputed, and the table is complete."

    def _of_rows(self, step: ImputerStep) -> str:
        n, column = int(np.isfinite(step.distances).sum()), self.names[step.column]
        what = "most frequent value" if step.column in self.problem.categories else "mean"
        if not n:
            return f"the {what} of {column}: no row that knows it shares a known column"
        if n == 1:
            return f"as in the nearest row that knows {column}"
        weighted = "weighted " if self.model.weights == "distance" else ""
        return f"the {weighted}{what} of the {n} nearest rows that know {column}"

    def _statistic(self, column: int) -> str:
        return "mode" if column in self.problem.categories else SAID[self.model.strategy]

    def ledger(self, step: ImputerStep, after: Any) -> Blocks:
        """Return the arithmetic of a step; ``after`` is the filled table."""
        if step.phase in ("holes", "leave"):
            return [self._missing(), *([self._row(step.row)] if step.row >= 0 else [])]
        if step.phase == "done":
            return [self._missing()] if self.model.strategy == "drop" else [*self._before_after(after), self._missing()]
        if step.phase == "neighbours":
            return [*self._neighbours(step), self._row(step.row)]
        if step.phase == "regress":
            return [*self._regression(step), self._row(step.row)]
        return [self._plain(step), self._row(step.row)]

    def _plain(self, step: ImputerStep) -> Formula:
        x = self.X[:, step.column]
        known = x[np.isfinite(x)]
        value, nominal = self.shown(step.column, step.value), step.column in self.problem.categories
        if step.phase == "draw":
            return Formula(f"draw 1 of {len(known)} known values → {value}")
        if step.phase == "own" and nominal:
            return Formula("a new category → missing")
        if self._said_mean(step.column):
            return Formula(f"x̄ = Σ x / n = {num(known.sum())} / {len(known)} = {value}")
        often = int((known == step.value).sum())
        if nominal or self.model.strategy == "mode":
            return Formula(f"mode = {value}, {often} of {len(known)} known values")
        return Formula(f"median = middle of {len(known)} sorted values = {value}")

    def _said_mean(self, column: int) -> bool:
        return self.model.strategy in ("mean", "category") and column not in self.problem.categories

    def asked(self, row: int | None, after: Any) -> Blocks:
        """Return the row that the reader selected, as it was and as it becomes."""
        if row is None:
            return []
        lines = []
        for j, (name, x, y) in enumerate(zip(self.names, self.X[row], after[row], strict=True)):
            known, new = ("missing" if np.isnan(value) else self.shown(j, value) for value in (x, y))
            lines.append((name, known, new if np.isfinite(y) else "left out"))
        title = f"Row {self.problem.rows[row] + 1}, selected"
        return [LedgerTable(("column", "before", "after"), lines[:20], title)]

    def _row(self, row: int) -> LedgerTable:
        lines = [
            (name, "missing" if np.isnan(x) else self.shown(j, x))
            for j, (name, x) in enumerate(zip(self.names, self.X[row], strict=True))
        ]
        emphasis = [j for j, x in enumerate(self.X[row]) if np.isnan(x)]
        return LedgerTable(("column", "value"), lines[:20], f"Row {self.problem.rows[row] + 1}", emphasis)

    def _neighbours(self, step: ImputerStep) -> Blocks:
        j, value = step.column, self.shown(step.column, step.value)
        values = self.X[step.neighbors, j]
        near = [
            (int(self.problem.rows[i]) + 1, short(d), self.shown(j, x))
            for i, d, x in zip(step.neighbors, step.distances, values, strict=True)
        ]
        table = numbered_table(("row", "distance", self.names[j]), near, "Nearest rows", most=12)
        if np.isinf(step.distances).all():
            how = "most frequent value" if j in self.problem.categories else "mean"
            return [table, Formula(f"no row shares a known column, so the {how} of {self.names[j]} → {value}")]
        if not np.isfinite(step.distances).all():
            return [table, Formula(f"infinitely far rows share no column and do not count → {value}")]
        if j in self.problem.categories:
            votes = int((values == step.value).sum())
            return [Formula(f"most weight: {value}, {votes} of {len(values)} rows"), table]
        if self.model.weights == "distance" and (step.distances > 0).all():
            w = 1 / step.distances
            top = few([f"{num4(x)}/{num4(d)}" for x, d in zip(values, step.distances, strict=True)], 3)
            return [Formula(f"Σ x/d / Σ 1/d = ({top}) / {num4(w.sum())} = {value}"), table]
        if self.model.weights == "distance":
            return [Formula(f"distance 0: only these rows count → {value}"), table]
        terms = few([signed(x, 4) for x in values], MOST_TERMS)
        return [Formula(f"({terms}) / {len(values)} = {value}"), table]

    def _regression(self, step: ImputerStep) -> Blocks:
        told = self.model.equation(step.column)
        names = self.problem.categories.get(step.column)
        value = self.shown(step.column, step.value)
        if names:
            scores = [(name, short(b)) for name, b in zip(names, told.coefficients[0], strict=False)]
            how = "drawn by the scores" if self.model.noise else "largest score"
            return [
                Formula(f"{how} → {value}"),
                LedgerTable(("name", "constant"), scores[:12], "A score for each name"),
            ]
        from dmlib.preprocessing.missing_values.equations import design

        row = design(self.X[step.row : step.row + 1], told.columns, step.column, told.typical)[0][0]
        beta = told.coefficients[:, 0]
        parts = [(t, short(b), short(x), short(b * x)) for t, b, x in zip(told.terms, beta, row, strict=True)]
        line = few([signed(p, 4) for p in beta * row], MOST_TERMS)
        fit = float(beta @ row)
        more = f" + noise {signed(step.value - fit, 4)} = {value}" if self.model.noise else ""
        title = f"Least squares over {told.n_rows} rows"
        return [Formula(f"{line} = {num(fit)}{more}"), LedgerTable(("term", "b", "x", "b x"), parts[:12], title)]

    def _missing(self) -> LedgerTable:
        holes = np.isnan(self.X)
        order = np.argsort(-holes.sum(axis=0), kind="stable")
        rows = [(self.names[j], int(holes[:, j].sum()), f"{holes[:, j].mean():.1%}") for j in order[:12]]
        return LedgerTable(("column", "missing", "share"), rows, "Missing values")

    def _before_after(self, after: Any) -> Blocks:
        rows = []
        for j, name in enumerate(self.names):
            known = ~np.isnan(self.X[:, j])
            if j in self.problem.categories or known.all() or known.sum() < 2:
                continue
            a, b = self.X[known, j], after[:, j]
            rows.append((name, short(a.mean()), short(b.mean()), short(a.std(ddof=1)), short(b.std(ddof=1))))
        head = ("column", "mean", "after", "s", "after")
        return [LedgerTable(head, rows[:12], "Before and after")] if rows else []


def column_is(problem: Problem, step: ImputerStep) -> bool:
    """Return whether the column of a step holds names."""
    return step.column in problem.categories
