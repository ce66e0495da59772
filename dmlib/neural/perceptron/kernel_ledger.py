"""Captions and ledgers of a kernel perceptron: the sum of a row over those with mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.perceptron.kernel import KernelStep
from dmlib.pictures.ledger import Blocks, Cell, Formula, abridged, numbered_table
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, short, signed
from dmlib.problem import Problem

MAX_ROWS, MAX_TERMS = 10, 6


class KernelNarrator:
    """Captions and ledgers of a run of a kernel perceptron."""

    def __init__(self, run: Run[Problem, Any]) -> None:
        self.run, self.problem, self.model = run, run.problem, run.model
        self.X = np.asarray(run.problem.training.X, float)
        self.signs = np.where(np.asarray(run.problem.training.y) > 0, 1.0, -1.0)
        self.numbers = run.problem.training.rows + 1
        self.product = run.model.inner_product(self.X)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: KernelStep = moment.step
        blocks: Blocks = []
        if step.row is not None:
            blocks = [*self._sum(self.X[step.row], moment.before.counts), self._verdict(step)]
        if self.run.query is not None:
            name = self.problem.name(self.run.query)
            blocks += self._sum(self.run.query.x, step.alpha, f"Asked about: {name}")
        blocks.append(Formula(f"mistakes so far: Σ α = {step.n_mistakes}"))
        if step.phase == "done":
            blocks.append(error_table(self.problem, self.run.fitted))
        return self._caption(step), blocks

    def _caption(self, step: KernelStep) -> str:
        if step.row is not None:
            return self._row(step, step.row)
        if step.phase == "start":
            return "Start: no row has a mistake, so every sum is 0."
        if step.phase == "epoch":
            return f"Epoch {step.epoch} ends with {count(int(step.cost), 'mistake', 'mistakes')}."
        mistakes = count(step.n_mistakes, "mistake", "mistakes")
        support = count(int((step.counts > 0).sum()), "row", "rows")
        epochs = count(step.epoch, "epoch", "epochs")
        return f"Done after {epochs} with {mistakes} on {support}. {step.reason}"

    def _row(self, step: KernelStep, row: int) -> str:
        start = f"Row {self.numbers[row]}, epoch {step.epoch}:"
        name = self.problem.classes[int(step.sign > 0)]
        if step.phase == "right":
            return f"{start} the sum {num4(step.score)} is on the side of {name}; α stays."
        where = "on the boundary" if step.score == 0 else "on the wrong side"
        alpha = num4(step.counts[row])
        return f"{start} {name} is {where}, so its count α becomes {alpha}."

    def _sum(self, x: Floats, alpha: Floats, title: str = "The row's sum") -> Blocks:
        """Return the sum of a place over the rows with coefficients, the largest terms first."""
        support = np.flatnonzero(alpha)
        if not len(support):
            return [Formula("s = 0, since no row has a mistake yet")]
        kernel = self.product(self.X[support], x[None])[:, 0] - float(self.model.fit_intercept)
        terms = alpha[support] * self.signs[support] * (kernel + float(self.model.fit_intercept))
        order = np.argsort(-np.abs(terms), kind="stable")
        columns = self.numbers[support], alpha[support], self.signs[support], kernel, terms
        rows: list[list[Cell]] = [
            [int(row), short(a), signed(y), short(k), short(term)]
            for row, a, y, k, term in zip(*(column[order] for column in columns), strict=True)
        ]
        one = " + 1" if self.model.fit_intercept else ""
        product = f"αy(K{one})" if one else "αyK"
        parts = abridged([signed(terms[i], 4) for i in order], MAX_TERMS)
        return [
            numbered_table(("row", "α", "y", "K", product), rows, title, max_rows=MAX_ROWS),
            Formula(f"s = Σ α y (K{one}) = {parts} = {num4(terms.sum())}"),
        ]

    def _verdict(self, step: KernelStep) -> Formula:
        y, product = "+1" if step.sign > 0 else "−1", step.sign * step.score
        sentence = "≤ 0: a mistake, α ← α + 1" if product <= 0 else "> 0: correct, α stays"
        return Formula(f"y s = {y} · {signed(step.score, 4)} = {num4(product + 0.0)} {sentence}")
