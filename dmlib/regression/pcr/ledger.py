"""Captions and ledgers of regression on components: direction, slope, coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, changes, count, num4, percent, short, signed
from dmlib.problem import Problem
from dmlib.regression.pcr.algorithm import ComponentStep

TERMS = 6  # of a formula


class Narrator:
    """Captions and ledgers of a regression by components.

    Parameters
    ----------
    problem : Problem
        The table.
    least_squares : ndarray of shape (n_features,)
        The coefficients of least squares.
    total : float
        The sum of squares of the target around its mean.
    selected : int or None
        The row that the reader clicked.
    """

    def __init__(
        self, problem: Problem, least_squares: Floats, total: float, selected: int | None
    ) -> None:
        self.problem = problem
        self.least_squares = least_squares
        self.total = total
        self.selected = selected

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step, before = moment.step, moment.before
        ledger: Blocks = [*self._arithmetic(step, before), self._coefficients(step)]
        if self.selected is not None:
            ledger += self._prediction(step, self.selected)
        return self._caption(step, before), ledger

    def _caption(self, step: ComponentStep, before: ComponentStep) -> str:
        if step.phase == "centre":
            return "Without a component the prediction is the mean of the target."
        if step.phase == "done":
            variance = percent(step.share)
            components = count(step.n, "component", "components")
            share = f"R² {num4(self._r2(step))}" if self.total > 0 else NO_R2
            return f"Done: {components} with {variance} of the columns' variance, {share}."
        variance = percent(step.share - before.share)
        if self.total <= 0:
            return f"Component {step.n} explains {variance} of the columns' variance; {NO_R2}."
        rises = changes("R²", short(self._r2(before)), short(self._r2(step)))
        return f"Component {step.n} explains {variance} of the columns' variance; {rises}."

    def _r2(self, step: ComponentStep) -> float:
        return max(1 - step.sse / self.total, 0.0)

    def _arithmetic(self, step: ComponentStep, before: ComponentStep) -> Blocks:
        if step.phase != "component":
            return [Formula(f"ŷ = {num4(step.intercept)}{self._terms(step.coef)}")]
        largest = np.argsort(-np.abs(step.weights), kind="stable")[:TERMS]
        parts = [f"{signed(step.weights[j], 4)} {self.problem.features[j]}" for j in largest]
        slope = f"Σ t y / Σ t² = {num4(step.product)} / {num4(step.square)} = {num4(step.slope)}"
        falls = f"{num4(before.sse)} − {num4(step.slope)} · {num4(step.product)}"
        direction = abridged(parts, TERMS) + (" + …" if len(step.weights) > TERMS else "")
        return [
            Formula(f"direction: t = {direction}"),
            Formula(f"slope: {slope}"),
            Formula(f"SSE = {falls} = {num4(step.sse)}"),
        ]

    def _terms(self, coef: Floats) -> str:
        parts = [
            f" + {signed(b, 4)} {name}"
            for name, b in zip(self.problem.features, coef, strict=True)
            if b
        ]
        return "".join(parts[:TERMS]) + (" + …" if len(parts) > TERMS else "")

    def _coefficients(self, step: ComponentStep) -> LedgerTable:
        rows = [
            (name, short(weight), short(b), short(b_all))
            for name, weight, b, b_all in zip(
                self.problem.features, step.weights, step.coef, self.least_squares, strict=True
            )
        ]
        head = ("column", "direction", "b", "least squares")
        return self._by_column(head, rows, "Coefficients of the columns")

    def _by_column(
        self, head: Sequence[str], rows: Sequence[Sequence[Any]], title: str
    ) -> LedgerTable:
        """Return a table with a row for each column of the data."""
        return short_table(
            head,
            rows,
            title,
            max_rows=16,
            of="columns",
            by="column",
            numbers=range(1, len(rows) + 1),
        )

    def _prediction(self, step: ComponentStep, row: int) -> Blocks:
        """Return the prediction for a row, column by column."""
        problem = self.problem
        terms = [
            (name, short(x), short(b), short(x * b))
            for name, x, b in zip(problem.features, problem.X[row], step.coef, strict=True)
        ]
        fitted = step.intercept + float(problem.X[row] @ step.coef)
        observed = "" if problem.y is None else f"; observed {num4(problem.y[row])}"
        return [
            self._by_column(("column", "x", "b", "x b"), terms, f"Row {problem.rows[row] + 1}"),
            Formula(f"ŷ = {num4(step.intercept)} + Σ x b = {num4(fitted)}{observed}"),
        ]
