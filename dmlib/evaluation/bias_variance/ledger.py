"""Captions and ledgers of bias and variance: at one place, along x, by complexity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dmlib.evaluation.bias_variance.algorithm import (
    GRID,
    LOSSES,
    SQUARED,
    BiasVariance,
    BiasVarianceStep,
)
from dmlib.evaluation.bias_variance.families import MODEL_LABELS
from dmlib.evaluation.bias_variance.truths import TRUTH_LABELS
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged
from dmlib.pictures.story import Moment
from dmlib.pictures.words import num, num4, short, signed
from dmlib.problem import Problem

PLACE = GRID // 4  # at which the parts are written out


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of the simulation.

    Attributes
    ----------
    model : BiasVariance
        The simulation.
    start : BiasVarianceStep
        Its first step, with the places and the true curve.
    problem : Problem
        The table.
    selected : int or None
        The row that the reader clicked.
    """

    model: BiasVariance
    start: BiasVarianceStep
    problem: Problem
    selected: int | None = None

    @property
    def squared(self) -> bool:
        """Whether the error is squared."""
        return self.model.loss == SQUARED

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        build: Callable[[BiasVarianceStep], tuple[str, Blocks]] = getattr(
            self, f"_{moment.step.phase}"
        )
        return build(moment.step)

    @property
    def _bias_name(self) -> str:
        return "bias²" if self.squared else "bias"

    @property
    def _place(self) -> str:
        return num4(self.start.places[PLACE])

    def _truth(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        name = TRUTH_LABELS[self.model.truth]
        noise = f"noise of {num(self.model.noise)} times half its range"
        caption = f"The true function is known: a {name}, with {noise}."
        rows = [(num4(step.places[i]), short(step.truth[i])) for i in range(0, GRID, 12)]
        head = ("x", "f(x)" if self.squared else "P(class 1)")
        return caption, [LedgerTable(head, rows, "The true curve")]

    def _sample(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        rows_and_model = f"{len(step.x)} new rows, and the {MODEL_LABELS[self.model.model]}"
        caption = f"Training set {step.index + 1}: {rows_and_model} that fits them."
        estimate = f"f̂(x) at x = {self._place}: {num4(step.curve[PLACE])}"
        true = f"true: {num4(self.start.truth[PLACE])}"
        rows = [(short(x), short(y)) for x, y in zip(step.x[:8], step.y[:8], strict=True)]
        return caption, [
            Formula(f"{estimate}; {true}"),
            LedgerTable(("x", "y"), rows, "The first training rows"),
        ]

    def _mean(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        predictions = step.curves[:, PLACE]
        m = len(predictions)
        bias = num4(step.bias)
        true = float(self.start.truth[PLACE])
        if not self.squared:
            n_votes = int((predictions > 0.5).sum())
            caption = f"The main prediction is the majority of {m} models; its bias is {bias}"
            majority = "class 1" if n_votes > m / 2 else "class 0"
            votes = f"{n_votes} of {m} predict class 1: majority {majority}"
            vote = Formula(f"x = {self._place}: {votes}; P = {num4(true)}")
            return f"{caption} on average.", [vote]
        terms = abridged([num4(value) for value in predictions], 4)
        mean = float(step.mean_curve[PLACE])
        square = f"({num4(mean)} − {signed(true, 4)})² = {num4((mean - true) ** 2)}"
        caption = f"The bias is the mean of {m} curves minus the true one: squared, {bias}"
        return f"{caption} on average.", [
            Formula(f"Mean at x = {self._place}: ({terms}) / {m} = {num4(mean)}"),
            Formula(f"Bias² there: {square}"),
            Formula(f"Mean along x: {bias}"),
        ]

    def _variance(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        mean = f"{num4(step.variance)} on average"
        if not self.squared:
            caption = f"Models that differ from the majority add the variance, {mean}."
            return caption, self._sum(step)
        deviations = step.curves[:, PLACE] - step.mean_curve[PLACE]
        terms = abridged([f"{signed(v, 4)}²" for v in deviations], 3)
        quotient = f"({terms}) / {len(step.curves)} = {num4(step.variance_at[PLACE])}"
        caption = f"The curves scatter around their mean: the variance is {mean}."
        return caption, [Formula(f"Variance at x = {self._place}: {quotient}"), *self._sum(step)]

    def _sum(self, step: BiasVarianceStep) -> Blocks:
        bias, noise, error = (num4(v) for v in (step.bias, step.noise, step.error))
        name = self._bias_name
        terms = f"{bias} + {signed(step.variance, 4)} + {noise} = {error}"
        rows = [
            (name, short(step.bias)),
            ("variance", short(step.variance)),
            ("noise", short(step.noise)),
            ("error on new rows", short(step.error)),
            ("error on training rows", short(step.train_error)),
        ]
        title = LOSSES[self.model.loss].capitalize()
        return [
            Formula(f"{name} + variance + noise = {terms}"),
            LedgerTable(("part", "value"), rows, title, [3]),
        ]

    def _complexity(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        label = self.model.family.label
        best = int(np.argmin(step.errors))
        level, error = num(step.levels[best]), num4(step.errors[best])
        caption = f"Of all complexities, {label} {level} has the smallest error, {error}."
        rows = [
            tuple(float(f"{v:.3g}") for v in row)
            for row in zip(step.levels, step.biases, step.variances, step.errors, strict=True)
        ]
        by = "" if (np.asarray(step.levels) % 1).any() else label
        head = (label, self._bias_name, "variance", "error")
        return caption, [LedgerTable(head, rows, "All complexities", [self.model.level], by=by)]

    def _done(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        level = f"{self.model.family.label} {num(step.levels[self.model.level])}"
        parts = f"{self._bias_name} is {num4(step.bias)} and variance {num4(step.variance)}"
        errors = f"an error of {num4(step.error)}, {num4(step.train_error)} on training rows"
        caption = f"With {level}, {parts}: {errors}."
        return caption, [*self._selected_row(step), *self._sum(step), *self._complexity(step)[1]]

    def _selected_row(self, step: BiasVarianceStep) -> Blocks:
        """Return the parts of the error at the x of the selected row."""
        if self.selected is None:
            return []
        x = float(self.problem.X[self.selected, 0])
        parts = {
            "truth": step.truth,
            "mean curve": step.mean_curve,
            f"{self._bias_name} there": step.bias_at,
            "variance there": step.variance_at,
        }
        rows = [(name, short(np.interp(x, step.places, part))) for name, part in parts.items()]
        row = self.problem.rows[self.selected] + 1
        return [LedgerTable(("at its x", "value"), rows, f"Row {row}, x = {num4(x)}")]
