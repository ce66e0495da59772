"""The arithmetic of bias and variance: one place, then the means along x, then all complexities."""

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
from dmlib.evaluation.bias_variance.families import SPOKEN
from dmlib.evaluation.bias_variance.truths import SPOKEN as TRUTHS
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged
from dmlib.pictures.story import Moment
from dmlib.pictures.words import num, num4, short, signed
from dmlib.problem import Problem

PLACE = GRID // 4  # where the parts are told in numbers


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

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        build: Callable[[BiasVarianceStep], tuple[str, Blocks]] = getattr(
            self, f"_{now.step.phase}"
        )
        return build(now.step)

    @property
    def _place(self) -> str:
        return num4(self.start.places[PLACE])

    def _truth(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        name, noise = TRUTHS[self.model.truth], num(self.model.noise)
        caption = (
            f"The true function is known: a {name}, with noise of {noise} times half its range."
        )
        rows = [(num4(step.places[i]), short(step.truth[i])) for i in range(0, GRID, 12)]
        head = ("x", "f(x)" if self.squared else "P(class 1)")
        return caption, [LedgerTable(head, rows, "The true curve")]

    def _sample(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        n, name = len(step.x), SPOKEN[self.model.model]
        caption = f"Training set {step.index + 1}: {n} new rows, and the {name} that fits them."
        estimate = f"f̂(x) at x = {self._place}: {num4(step.curve[PLACE])}"
        true = f"true: {num4(self.start.truth[PLACE])}"
        rows = [(short(x), short(y)) for x, y in zip(step.x[:8], step.y[:8], strict=True)]
        return caption, [
            Formula(f"{estimate}; {true}"),
            LedgerTable(("x", "y"), rows, "The first training rows"),
        ]

    def _mean(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        predictions = step.curves[:, PLACE]
        m, true = len(predictions), float(self.start.truth[PLACE])
        if not self.squared:
            votes = int((predictions > 0.5).sum())
            caption = (
                f"The main prediction is the majority of {m} models; its bias is {num4(step.bias)}"
                " on average."
            )
            verdict = "class 1" if votes > m / 2 else "class 0"
            return caption, [
                Formula(
                    f"x = {self._place}: {votes} of {m} predict class 1: majority {verdict}; P ="
                    f" {num4(true)}"
                )
            ]
        terms = abridged([num4(value) for value in predictions], 4)
        mean = float(step.mean_curve[PLACE])
        caption = (
            f"The bias is the mean of {m} curves minus the true one: squared, {num4(step.bias)} on"
            " average."
        )
        return caption, [
            Formula(f"Mean at x = {self._place}: ({terms}) / {m} = {num4(mean)}"),
            Formula(
                f"Bias² there: ({num4(mean)} − {signed(true, 4)})² = {num4((mean - true) ** 2)}"
            ),
            Formula(f"Mean along x: {num4(step.bias)}"),
        ]

    def _variance(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        m = len(step.curves)
        caption = (
            f"The curves scatter around their mean: the variance is {num4(step.variance)} on"
            " average."
        )
        if not self.squared:
            caption = (
                f"Models that differ from the majority add the variance, {num4(step.variance)} on"
                " average."
            )
            return caption, [*self._sum(step)]
        terms = abridged(
            [f"{signed(v, 4)}²" for v in step.curves[:, PLACE] - step.mean_curve[PLACE]], 3
        )
        variance = num4(step.variance_at[PLACE])
        return caption, [
            Formula(f"Variance at x = {self._place}: ({terms}) / {m} = {variance}"),
            *self._sum(step),
        ]

    def _sum(self, step: BiasVarianceStep) -> Blocks:
        bias, noise, error = (num4(v) for v in (step.bias, step.noise, step.error))
        name = "bias²" if self.squared else "bias"
        sum_ = f"{bias} + {signed(step.variance, 4)} + {noise} = {error}"
        rows = [
            (name, short(step.bias)),
            ("variance", short(step.variance)),
            ("noise", short(step.noise)),
            ("error on new rows", short(step.error)),
            ("error on training rows", short(step.train_error)),
        ]
        title = LOSSES[self.model.loss].capitalize()
        return [
            Formula(f"{name} + variance + noise = {sum_}"),
            LedgerTable(("part", "value"), rows, title, [3]),
        ]

    def _complexity(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        best, label = int(np.argmin(step.errors)), self.model.family.label
        smallest = num4(step.errors[best])
        caption = (
            f"Of all complexities, {label} {num(step.levels[best])} has the smallest error,"
            f" {smallest}."
        )
        name = "bias²" if self.squared else "bias"
        rows = [
            tuple(float(f"{v:.3g}") for v in row)
            for row in zip(step.levels, step.biases, step.variances, step.errors, strict=True)
        ]
        by = "" if (np.asarray(step.levels) % 1).any() else label
        head = (label, name, "variance", "error")
        return caption, [LedgerTable(head, rows, "All complexities", [self.model.level], by=by)]

    def _done(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        level, label = num(step.levels[self.model.level]), self.model.family.label
        name = "bias²" if self.squared else "bias"
        caption = (
            f"With {label} {level}, {name} is {num4(step.bias)} and variance {num4(step.variance)}:"
            f" an error of {num4(step.error)}, {num4(step.train_error)} on training rows."
        )
        return caption, [*self._selected_row(step), *self._sum(step), *self._complexity(step)[1]]

    def _selected_row(self, step: BiasVarianceStep) -> Blocks:
        """Return the parts of the error at the x of the selected row."""
        if self.selected is None:
            return []
        x = float(self.problem.X[self.selected, 0])
        parts = (step.truth, step.mean_curve, step.bias_at, step.variance_at)
        names = (
            "truth",
            "mean curve",
            "bias² there" if self.squared else "bias there",
            "variance there",
        )
        rows = [
            (name, short(np.interp(x, step.places, np.asarray(part))))
            for name, part in zip(names, parts, strict=True)
        ]
        row = self.problem.rows[self.selected] + 1
        return [LedgerTable(("at its x", "value"), rows, f"Row {row}, x = {num4(x)}")]
