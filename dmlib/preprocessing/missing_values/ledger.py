"""Filled holes in words and numbers: the origin of a value, the table before and after."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, percent, short, signed
from dmlib.preprocessing import ImputerStep
from dmlib.preprocessing.missing_values.algorithm import FITTED, Imputer
from dmlib.preprocessing.missing_values.equations import design
from dmlib.problem import Problem

MAX_TERMS = 5
MAX_COLUMNS, MAX_LINES = 20, 12  # of a row, and of other tables


class Narrator:
    """Captions and ledgers of an imputer.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Imputer
        Fitted.
    filled : ndarray of shape (n_samples, n_features)
        The filled table.
    selected : int or None
        The row that the reader clicked.
    """

    def __init__(
        self, problem: Problem, model: Imputer, filled: Floats, selected: int | None
    ) -> None:
        self.problem, self.model, self.filled = problem, model, filled
        self.X, self.names = problem.X, problem.features
        self.selected_blocks = [] if selected is None else [self._selected(selected)]

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ImputerStep = moment.step
        return self._caption(step), [*self.selected_blocks, *self._blocks(step)]

    def _value(self, column: int, value: float) -> str:
        """Return a value as text: a number, or the name of a category."""
        names = self.problem.categories.get(column)
        if not names:
            return num(value)
        return names[int(value)] if int(value) < len(names) else "missing"

    def _cell(self, step: ImputerStep) -> str:
        """Return the name of a cell."""
        return f"{self.names[step.column]} of row {self.problem.rows[step.row] + 1}"

    def _caption(self, step: ImputerStep) -> str:
        n, m = self.X.shape
        if step.phase == "holes":
            n_holes = self.model.n_holes_
            if not n_holes:
                return f"All {n * m} cells are known: there is nothing to impute."
            verb = "is" if n_holes == 1 else "are"
            complete = f"{self.model.n_complete_} of {n} rows are complete"
            return f"{n_holes} of {n * m} cells {verb} missing, and {complete}."
        if step.phase == "leave":
            row = self.problem.rows[step.row] + 1
            return f"Row {row} has a missing value and is left out, with all its known values."
        if step.phase == "done":
            return self._end(step)
        value = self._value(step.column, step.value)
        return f"{self._cell(step)} becomes {value}, {self._origin(step)}."

    def _origin(self, step: ImputerStep) -> str:
        """Return the origin of the value of a step."""
        column = self.names[step.column]
        if step.phase == "statistic":
            return f"the {self._statistic(step.column)} of {column}"
        if step.phase == "draw":
            return self._drawn_from(step.column)
        if step.phase == "neighbours":
            return self._of_rows(step)
        if step.phase == "regress":
            return "predicted from the other columns of its row"
        if step.column in self.problem.categories:
            return "a category of its own"
        return "and an indicator column marks the missing value"

    def _drawn_from(self, column: int) -> str:
        name, is_nominal = self.names[column], column in self.problem.categories
        if is_nominal or self.model.strategy == "sample":
            return f"drawn at random from the known values of {name}"
        if self.model.strategy == "normal":
            return f"drawn from the normal distribution fitted to {name}"
        return f"drawn from the kernel density of {name}"

    def _end(self, step: ImputerStep) -> str:
        if self.model.strategy == "drop":
            n, rows = len(self.X), count(step.n_done, "row is", "rows are")
            return f"{rows} left out, and {n - step.n_done} of {n} are left."
        if not step.n_done:
            return "There was no missing value, so the table is unchanged."
        return f"{count(step.n_done, 'value is', 'values are')} imputed, and the table is complete."

    def _of_rows(self, step: ImputerStep) -> str:
        n, column = int(np.isfinite(step.distances).sum()), self.names[step.column]
        statistic = self._average(step.column)
        if not n:
            return f"the {statistic} of {column}: no row that knows it shares a known column"
        if n == 1:
            return f"as in the nearest row that knows {column}"
        weighted = "weighted " if self.model.weights == "distance" else ""
        return f"the {weighted}{statistic} of the {n} nearest rows that know {column}"

    def _average(self, column: int) -> str:
        return "most frequent value" if column in self.problem.categories else "mean"

    def _statistic(self, column: int) -> str:
        return "mode" if column in self.problem.categories else self.model.strategy

    def _blocks(self, step: ImputerStep) -> Blocks:
        if step.phase in ("holes", "leave"):
            return [self._missing(), *([self._row(step.row)] if step.row >= 0 else [])]
        if step.phase == "done":
            before_after = [] if self.model.strategy == "drop" else self._before_after()
            return [*before_after, self._missing()]
        if step.phase == "neighbours":
            return [*self._neighbours(step), self._row(step.row)]
        if step.phase == "regress":
            return [*self._regression(step), self._row(step.row)]
        is_number = step.column not in self.problem.categories
        if is_number and self.model.strategy in FITTED:
            return [*self._draw(step), self._row(step.row)]
        return [self._plain(step), self._row(step.row)]

    def _plain(self, step: ImputerStep) -> Formula:
        x = self.X[:, step.column]
        x = x[np.isfinite(x)]
        n, value = len(x), self._value(step.column, step.value)
        is_nominal = step.column in self.problem.categories
        if step.phase == "draw":
            return Formula(f"draw 1 of {n} known values → {value}")
        if step.phase == "own" and is_nominal:
            return Formula("a new category → missing")
        if self._is_mean(step.column):
            return Formula(f"x̄ = Σ x / n = {num(x.sum())} / {n} = {value}")
        if is_nominal or self.model.strategy == "mode":
            n_equal = int((x == step.value).sum())
            return Formula(f"mode = {value}, {n_equal} of {n} known values")
        return Formula(f"median = middle of {n} sorted values = {value}")

    def _draw(self, step: ImputerStep) -> Blocks:
        """Write out a draw from a fitted distribution."""
        known, value = self.model.known_values(step.column), num(step.value)
        n, s = len(known.values), num(known.deviation)
        if self.model.strategy == "normal":
            z = (step.value - known.mean) / known.deviation if known.deviation else 0.0
            return [
                Formula(f"x̄ = {num(known.mean)} and s = {s} of {n} known values"),
                Formula(f"x̄ + s z = {num(known.mean)} + {s} · {signed(z)} = {value}"),
                Formula("z is drawn from the standard normal distribution"),
            ]
        h, start = known.bandwidth, int(step.neighbors[0])
        x = float(self.X[start, step.column])
        z = (step.value - x) / h if h else 0.0
        spread = f"min({s}, {num(known.quartile_range)} / 1.34)" if known.quartile_range else s
        return [
            Formula(f"bandwidth h = 0.9 · {spread} / {n}^(1/5) = {num(h)}"),
            Formula(
                f"drawn: row {self.problem.rows[start] + 1} of the {n} known ones, x = {num(x)}"
            ),
            Formula(f"x + h z = {signed(x)} + {num(h)} · {signed(z)} = {value}"),
            Formula("z is drawn from the standard normal distribution"),
        ]

    def _is_mean(self, column: int) -> bool:
        return self.model.strategy in ("mean", "category") and column not in self.problem.categories

    def _selected(self, row: int) -> LedgerTable:
        """Return the row that the reader selected, as it was and as it becomes."""
        lines = []
        for j, name in enumerate(self.names):
            after = self.filled[row, j]
            new = self._value(j, after) if np.isfinite(after) else "left out"
            lines.append((name, self._known_or_missing(row, j), new))
        title = f"Row {self.problem.rows[row] + 1}, selected"
        return LedgerTable(("column", "before", "after"), lines[:MAX_COLUMNS], title)

    def _row(self, row: int) -> LedgerTable:
        lines = [(name, self._known_or_missing(row, j)) for j, name in enumerate(self.names)]
        emphasis = np.flatnonzero(np.isnan(self.X[row])).tolist()
        title = f"Row {self.problem.rows[row] + 1}"
        return LedgerTable(("column", "value"), lines[:MAX_COLUMNS], title, emphasis)

    def _known_or_missing(self, row: int, column: int) -> str:
        x = self.X[row, column]
        return "missing" if np.isnan(x) else self._value(column, x)

    def _neighbours(self, step: ImputerStep) -> Blocks:
        j, value = step.column, self._value(step.column, step.value)
        values = self.X[step.neighbors, j]
        rows = [
            (int(self.problem.rows[i]) + 1, short(d), self._value(j, x))
            for i, d, x in zip(step.neighbors, step.distances, values, strict=True)
        ]
        head = ("row", "distance", self.names[j])
        table = numbered_table(head, rows, "Nearest rows", max_rows=MAX_LINES)
        if np.isinf(step.distances).all():
            average = f"the {self._average(j)} of {self.names[j]}"
            return [table, Formula(f"no row shares a known column, so {average} → {value}")]
        if not np.isfinite(step.distances).all():
            text = f"infinitely far rows share no column and do not count → {value}"
            return [table, Formula(text)]
        if j in self.problem.categories:
            votes = int((values == step.value).sum())
            return [Formula(f"most weight: {value}, {votes} of {len(values)} rows"), table]
        if self.model.weights == "distance" and (step.distances > 0).all():
            pairs = zip(values, step.distances, strict=True)
            terms = abridged([f"{num4(x)}/{num4(d)}" for x, d in pairs], 3)
            total = num4((1 / step.distances).sum())
            return [Formula(f"Σ x/d / Σ 1/d = ({terms}) / {total} = {value}"), table]
        if self.model.weights == "distance":
            return [Formula(f"distance 0: only these rows count → {value}"), table]
        terms = abridged([signed(x, 4) for x in values], MAX_TERMS)
        return [Formula(f"({terms}) / {len(values)} = {value}"), table]

    def _regression(self, step: ImputerStep) -> Blocks:
        if step.column in self.problem.categories:
            return self._scores(step)
        equation, value = self.model.equation(step.column), self._value(step.column, step.value)
        X = self.X[step.row : step.row + 1]
        row = design(X, equation.columns, step.column, equation.typical)[0][0]
        beta = equation.coefficients[:, 0]
        terms = zip(equation.terms, beta, row, strict=True)
        parts = [(term, short(b), short(x), short(b * x)) for term, b, x in terms]
        prediction = float(beta @ row)
        line = (
            f"{abridged([signed(part, 4) for part in beta * row], MAX_TERMS)} = {num(prediction)}"
        )
        if self.model.noise:
            line += f" + noise {signed(step.value - prediction, 4)} = {value}"
        title = f"Least squares over {equation.n_rows} rows"
        return [Formula(line), LedgerTable(("term", "b", "x", "b x"), parts[:MAX_LINES], title)]

    def _scores(self, step: ImputerStep) -> Blocks:
        """Return the scores of the names of a nominal column."""
        names = self.problem.categories[step.column]
        constants = self.model.equation(step.column).coefficients[0]
        scores = [(name, short(b)) for name, b in zip(names, constants, strict=False)]
        rule = "drawn by the scores" if self.model.noise else "largest score"
        return [
            Formula(f"{rule} → {self._value(step.column, step.value)}"),
            LedgerTable(("name", "constant"), scores[:MAX_LINES], "A score for each name"),
        ]

    def _missing(self) -> LedgerTable:
        holes = np.isnan(self.X)
        order = np.argsort(-holes.sum(axis=0), kind="stable")
        rows = [
            (self.names[j], int(holes[:, j].sum()), percent(holes[:, j].mean()))
            for j in order[:MAX_LINES]
        ]
        return LedgerTable(("column", "missing", "share"), rows, "Missing values")

    def _before_after(self) -> Blocks:
        rows = []
        for j, name in enumerate(self.names):
            x, after = self.X[:, j], self.filled[:, j]
            before = x[~np.isnan(x)]
            if j in self.problem.categories or len(before) == len(x) or len(before) < 2:
                continue
            means = short(before.mean()), short(after.mean())
            spreads = short(before.std(ddof=1)), short(after.std(ddof=1))
            rows.append((name, *means, *spreads))
        head = ("column", "mean", "after", "s", "after")
        return [LedgerTable(head, rows[:MAX_LINES], "Before and after")] if rows else []
