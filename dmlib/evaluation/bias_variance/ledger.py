"""The arithmetic of bias and variance: one place, then the means along x, then all complexities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.evaluation.bias_variance.algorithm import GRID, LOSSES, SQUARED, BiasVariance, BiasVarianceStep
from dmlib.evaluation.bias_variance.families import SPOKEN
from dmlib.evaluation.bias_variance.truths import SPOKEN as TRUTHS
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import num, short, signed
from dmlib.problem import Problem

PLACE = GRID // 4  # where the parts are told in numbers


@dataclass(frozen=True)
class Teller:
    """What is said of the steps of one run."""

    model: BiasVariance
    start: BiasVarianceStep  # with the places and the true curve
    problem: Problem
    selected: int | None = None

    @property
    def squared(self) -> bool:
        """Whether the error is squared."""
        return self.model.loss == SQUARED

    def frame(self, step: BiasVarianceStep) -> Frame:
        """Return the caption and the ledger of a step."""
        caption, ledger = getattr(self, f"_{step.phase}")(step)
        return Frame(caption, ledger, step.phase)

    @property
    def _here(self) -> str:
        return num(short(float(self.start.places[PLACE])))

    def _truth(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        name, noise = TRUTHS[self.model.truth], num(self.model.noise)
        caption = f"The true function is known: a {name}, with noise of {noise} times half its range."
        rows = [(num(short(float(step.places[i]))), short(float(step.truth[i]))) for i in range(0, GRID, 12)]
        head = ("x", "f(x)" if self.squared else "P(class 1)")
        return caption, [LedgerTable(head, rows, "The true curve")]

    def _sample(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        n, name = len(step.x), SPOKEN[self.model.model]
        caption = f"Training set {step.index + 1}: {n} new rows, and the {name} that fits them."
        here = f"f̂(x) at x = {self._here}: {num(short(float(step.curve[PLACE])))}"
        true = f"true: {num(short(float(self.start.truth[PLACE])))}"
        rows = [(short(float(x)), short(float(y))) for x, y in zip(step.x[:8], step.y[:8], strict=True)]
        return caption, [
            Formula(f"{here}; {true}"),
            LedgerTable(("x", "y"), rows, "The first training rows"),
        ]

    def _mean(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        said = step.curves[:, PLACE]
        m, true = len(said), float(self.start.truth[PLACE])
        if not self.squared:
            votes = int((said > 0.5).sum())
            caption = (
                f"The main prediction is the majority of {m} models; its bias is {num(short(step.bias))} on average."
            )
            verdict = "class 1" if votes > m / 2 else "class 0"
            return caption, [
                Formula(f"x = {self._here}: {votes} of {m} predict class 1: majority {verdict}; P = {num(short(true))}")
            ]
        terms = few([num(short(float(value))) for value in said], 4)
        mean = float(step.mean_curve[PLACE])
        caption = f"The bias is the mean of {m} curves minus the true one: squared, {num(short(step.bias))} on average."
        return caption, [
            Formula(f"Mean at x = {self._here}: ({terms}) / {m} = {num(short(mean))}"),
            Formula(f"Bias² there: ({num(short(mean))} − {signed(short(true))})² = {num(short((mean - true) ** 2))}"),
            Formula(f"Mean along x: {num(short(step.bias))}"),
        ]

    def _variance(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        m = len(step.curves)
        caption = f"The curves scatter around their mean: the variance is {num(short(step.variance))} on average."
        if not self.squared:
            caption = f"Models that differ from the majority add the variance, {num(short(step.variance))} on average."
            return caption, [*self._sum(step)]
        terms = few([f"{signed(short(float(v)))}²" for v in step.curves[:, PLACE] - step.mean_curve[PLACE]], 3)
        there = num(short(float(step.variance_at[PLACE])))
        return caption, [Formula(f"Variance at x = {self._here}: ({terms}) / {m} = {there}"), *self._sum(step)]

    def _sum(self, step: BiasVarianceStep) -> Blocks:
        bias, noise, error = (num(short(v)) for v in (step.bias, step.noise, step.error))
        name = "bias²" if self.squared else "bias"
        sum_ = f"{bias} + {signed(short(step.variance))} + {noise} = {error}"
        return [
            Formula(f"{name} + variance + noise = {sum_}"),
            LedgerTable(
                ("part", "value"),
                [(name, short(step.bias)), ("variance", short(step.variance)), ("noise", short(step.noise)),
                 ("error on new rows", short(step.error)), ("error on training rows", short(step.train_error))],
                LOSSES[self.model.loss].capitalize(), [3],
            ),
        ]  # fmt: skip

    def _complexity(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        best, label = int(np.argmin(step.errors)), self.model.family.label
        smallest = num(short(float(step.errors[best])))
        caption = f"Of all complexities, {label} {num(step.levels[best])} has the smallest error, {smallest}."
        name = "bias²" if self.squared else "bias"
        rows = [
            tuple(float(f"{v:.3g}") for v in row)
            for row in zip(step.levels, step.biases, step.variances, step.errors, strict=True)
        ]
        by = "" if (np.asarray(step.levels) % 1).any() else label
        head = (label, name, "variance", "error")
        return caption, [LedgerTable(head, rows, "All complexities", [self.model.level], by=by)]

    def _done(self, step: BiasVarianceStep) -> tuple[str, Blocks]:
        level, label = num(float(step.levels[self.model.level])), self.model.family.label
        name = "bias²" if self.squared else "bias"
        caption = (
            f"With {label} {level}, {name} is {num(short(step.bias))} and variance {num(short(step.variance))}: "
            f"an error of {num(short(step.error))}, {num(short(step.train_error))} on training rows."
        )
        return caption, [*self._asked(step), *self._sum(step), *self._complexity(step)[1]]

    def _asked(self, step: BiasVarianceStep) -> Blocks:
        """Tell the parts of the error at the x of the selected row."""
        if self.selected is None:
            return []
        x = float(self.problem.X[self.selected, 0])
        parts = (step.truth, step.mean_curve, step.bias_at, step.variance_at)
        names = ("truth", "mean curve", "bias² there" if self.squared else "bias there", "variance there")
        rows = [
            (name, short(float(np.interp(x, step.places, np.asarray(part)))))
            for name, part in zip(names, parts, strict=True)
        ]
        row = self.problem.rows[self.selected] + 1
        return [LedgerTable(("at its x", "value"), rows, f"Row {row}, x = {num(short(x))}")]
