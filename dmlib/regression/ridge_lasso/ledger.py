"""The arithmetic of an update: what the other columns leave, the threshold, and the objective."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, short, signed
from dmlib.problem import Problem
from dmlib.regression.ridge_lasso.algorithm import PenaltyStep

Floats = NDArray[np.float64]


class Teller:
    """Tells what the steps of a run do.

    Parameters
    ----------
    problem : Problem
        The table.
    alpha, share : float
        The price, and how much of it is paid for absolute values.
    free : ndarray of shape (n_features,)
        The coefficients of least squares.
    selected : int or None
        The row that the reader clicked.
    """

    def __init__(self, problem: Problem, alpha: float, share: float, free: Floats, selected: int | None) -> None:
        self.problem, self.alpha, self.share, self.free, self.selected = problem, alpha, share, free, selected

    def frame(self, step: PenaltyStep) -> Frame:
        """Return the caption and the ledger of a step."""
        arithmetic = [] if step.coordinate < 0 else self._update(step)
        asked = [] if self.selected is None else self._prediction(step, self.selected)
        blocks: Blocks = [*arithmetic, self._coefficients(step), *self._objective(step), *asked]
        return Frame(self._caption(step), blocks, step.phase)

    def _caption(self, step: PenaltyStep) -> str:
        if step.phase == "start":
            return "All coefficients begin at 0: the prediction is the mean of the target."
        if step.phase == "done":
            kept = count(int((step.coef != 0).sum()), "coefficient is", "coefficients are")
            passes = count(step.sweep, "pass", "passes")
            if not step.converged:
                return f"Stopped after {passes}; the coefficients still move."
            return f"Done after {passes}: {kept} not 0, and the objective is {num(short(step.objective))}."
        name = f"“{self.problem.features[step.coordinate]}”"
        if step.phase == "zero":
            return f"Pass {step.sweep}: the threshold swallows the coefficient of {name}, which is 0."
        now, before = num(short(step.coef[step.coordinate])), num(short(step.before))
        return f"Pass {step.sweep}: the coefficient of {name} goes from {before} to {now}."

    def _update(self, step: PenaltyStep) -> Blocks:
        rho, threshold = step.rho, self.alpha * self.share / 2
        soft = float(np.sign(rho) * max(abs(rho) - threshold, 0.0))
        whole = step.square + self.alpha * (1 - self.share)
        blocks: Blocks = [Formula(f"ρ = Σ x (y − ŷ + x b) = {num(short(rho))}")]
        if self.share > 0:
            mixed = f" · {num(self.share)}" if self.share < 1 else ""
            half = f"{num(short(self.alpha))}{mixed} / 2"
            blocks.append(Formula(f"S(ρ, {half}) = sign(ρ) max(|ρ| − {num(short(threshold))}, 0) = {num(short(soft))}"))
        below = num(short(step.square))
        if self.share < 1:
            paid = f"{num(short(self.alpha))}" + (f" · {num(1 - self.share)}" if self.share > 0 else "")
            below = f"({below} + {paid})"
        now = soft / whole if whole > 0 else 0.0
        blocks.append(Formula(f"b ← {signed(short(soft))} / {below} = {num(short(now))}"))
        return blocks

    def _coefficients(self, step: PenaltyStep) -> LedgerTable:
        emphasis = [step.coordinate] if step.coordinate >= 0 else []
        rows = [
            (name, short(b), short(free))
            for name, b, free in zip(self.problem.features, step.coef, self.free, strict=True)
        ]
        return short_table(("column", "b", "least squares"), rows, "Coefficients", emphasis, most=16, of="columns")

    def _objective(self, step: PenaltyStep) -> Blocks:
        absolute, squared = float(np.abs(step.coef).sum()), float((step.coef**2).sum())
        sizes = {1.0: f"{num(short(absolute))}", 0.0: f"{num(short(squared))}"}
        mixed = f"({num(self.share)} · {num(short(absolute))} + {num(short(1 - self.share))} · {num(short(squared))})"
        size = sizes.get(self.share, mixed)
        what = {1.0: "Σ|b|", 0.0: "Σb²"}.get(self.share, "(ρ Σ|b| + (1 − ρ) Σb²)")
        sum_of = f"{num(short(step.sse))} + {num(short(self.alpha))} · {size} = {num(short(step.objective))}"
        return [Formula(f"SSE + α {what} = {sum_of}"), Formula(f"intercept = {num(short(step.intercept))}")]

    def _prediction(self, step: PenaltyStep, row: int) -> Blocks:
        """Return the prediction for a row, column by column."""
        problem = self.problem
        terms = [
            (name, short(x), short(b), short(x * b))
            for name, x, b in zip(problem.features, problem.X[row], step.coef, strict=True)
        ]
        fitted = step.intercept + float(problem.X[row] @ step.coef)
        observed = "" if problem.y is None else f"; observed {num(short(float(problem.y[row])))}"
        return [
            short_table(("column", "x", "b", "x b"), terms, f"Row {problem.rows[row] + 1}", most=16, of="columns"),
            Formula(f"ŷ = {num(short(step.intercept))} + Σ x b = {num(short(fitted))}{observed}"),
        ]
