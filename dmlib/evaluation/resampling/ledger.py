"""The arithmetic of resampling: who trains, who tests, each error, and what they make together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.evaluation.models import candidates, spoken, written
from dmlib.evaluation.resampling.base import ResamplingStep
from dmlib.evaluation.resampling.estimates import WEIGHT, fraction_in_sample
from dmlib.evaluation.resampling.splitting import BOOTSTRAPS, NESTED, SPOKEN
from dmlib.evaluation.resampling.testing import TestResult
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed, upper_first
from dmlib.problem import Problem

MAX_TERMS = 6


@dataclass(frozen=True)
class Rivals:
    """Two models on the same splits."""

    name: str  # of the other model
    estimates: tuple[float, float]  # of this model and of the other
    paired: TestResult
    corrected: TestResult
    rows: TestResult | None  # McNemar; None for numbers, or where rows are tested more than once
    ratio: float  # test rows over training rows


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of resampling.

    Attributes
    ----------
    problem : Problem
        The table.
    model : ClassifierResampling or RegressorResampling
        The estimator.
    folds : tuple of ResamplingStep
        All splits that were tested.
    selected : int or None
        The row that the reader clicked.
    inner : tuple of float
        The smallest inner error of each split.
    """

    problem: Problem
    model: Any
    folds: tuple[ResamplingStep, ...]
    selected: int | None = None
    inner: tuple[float, ...] = ()

    @property
    def error_name(self) -> str:
        """What an error is."""
        return "mean squared error" if self.model.NUMBERS else "error rate"

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        build: Callable[[ResamplingStep], tuple[str, Blocks]] = getattr(self, f"_{now.step.phase}")
        caption, ledger = build(now.step)
        return caption, [*ledger, *self._selected_row(now.step)]

    def _split(self, step: ResamplingStep) -> tuple[str, Blocks]:
        n, k = len(self.problem.trained), len(step.splits)
        name = SPOKEN[self.model.scheme]
        caption = f"{upper_first(name)} divides {n} rows: {count(k, 'split', 'splits')}."
        head = ("split", "train", "test")
        if self.model.scheme in BOOTSTRAPS:
            distinct = [len(np.unique(split.train)) for split in step.splits]
            drawn = [
                (i, len(split.train), n_distinct, len(split.test))
                for i, (split, n_distinct) in enumerate(
                    zip(step.splits, distinct, strict=True), start=1
                )
            ]
            share = f"1 − (1 − 1/{n})^{n} = {num4(fraction_in_sample(n))}"
            mean = num4(float(np.mean(distinct)) / n)
            fraction = Formula(
                f"Fraction of distinct rows in a sample: {share} expected, {mean} here."
            )
            return caption, [
                fraction,
                short_table(("split", "drawn", "distinct", "test"), drawn, "Samples"),
            ]
        rows = [(i + 1, len(s.train), len(s.test)) for i, s in enumerate(step.splits)]
        return caption, [short_table(head, rows, "Training and test rows")]

    def _inner(self, step: ResamplingStep) -> tuple[str, Blocks]:
        options = candidates(self.model.model)
        rows = [
            (written(each), short(error)) for each, error in zip(options, step.inner, strict=True)
        ]
        best = int(np.argmin(step.inner))
        caption = (
            f"Split {step.index + 1}: inner folds of its training rows choose"
            f" {written(options[best])}."
        )
        optimism = Formula(
            f"The smallest inner error, {num4(step.inner[best])}, is an optimistic estimate."
        )
        return caption, [
            optimism,
            LedgerTable(("settings", "inner error"), rows, "Inner folds", [best]),
        ]

    def _fold(self, step: ResamplingStep) -> tuple[str, Blocks]:
        i, error = step.index + 1, num4(step.error)
        assert step.split is not None
        n = len(step.losses)
        if self.model.NUMBERS:
            terms = abridged([num4(loss) for loss in step.losses], MAX_TERMS)
            sentence = (
                f"Split {i}: {count(n, 'test row', 'test rows')}, and the mean squared error is"
                f" {error}."
            )
            formula = f"e{i} = ({terms}) / {n} = {error}"
        else:
            wrong = int(step.losses.sum())
            sentence = (
                f"Split {i}: {wrong} of {count(n, 'test row', 'test rows')} {_is(wrong)}"
                " misclassified."
            )
            formula = f"e{i} = {wrong} / {n} = {error}"
        errors = [fold.error for fold in self.folds[: step.index + 1]]
        sums = abridged([num4(error) for error in errors], MAX_TERMS)
        mean = Formula(f"Mean so far: ({sums}) / {i} = {num4(step.mean)}")
        return sentence, [Formula(formula), mean, self._table(step.index)]

    def _training(self, step: ResamplingStep) -> tuple[str, Blocks]:
        wrong = "" if self.model.NUMBERS else f" = {int(np.sum(step.losses))} / {len(step.losses)}"
        training, mean = num4(step.error), num4(step.mean)
        caption = (
            f"The {self.error_name} of the training rows is {training}, of the test rows {mean}."
        )
        optimism = f"Optimism: {mean} − {signed(step.error, 4)} = {num4(step.mean - step.error)}"
        return caption, [Formula(f"Training error{wrong} = {training}"), Formula(optimism)]

    def _combine(self, step: ResamplingStep) -> tuple[str, Blocks]:
        found = step.weighed
        assert found is not None
        err, oob, gamma = (num4(value) for value in (step.error, step.mean, step.no_information))
        estimate, w = num4(found.estimate), num4(found.weight)
        ledger: Blocks = [Formula(f"Out-of-bag error ε = {oob}; training error err = {err}")]
        if found.weight == 1.0:
            return f"The mean out-of-bag error, {oob}, is the estimate: pessimistic.", ledger
        if self.model.scheme.endswith("plus"):
            ledger += [
                Formula(f"No-information error rate γ = {gamma}"),
                Formula(
                    "Overfitting rate R = (min(ε, γ) − err) / (γ − err), in 0 to 1:"
                    f" {num4(found.overfitting)}"
                ),
                Formula(f"w = {WEIGHT} / (1 − 0.368 R) = {w}"),
            ]
        used = (
            num4(min(step.mean, step.no_information)) if self.model.scheme.endswith("plus") else oob
        )
        ledger.append(Formula(f"(1 − {w}) · {err} + {w} · {used} = {estimate}"))
        return f"The errors are weighted by {w}: the estimate is {estimate}.", ledger

    def _done(self, step: ResamplingStep) -> tuple[str, Blocks]:
        spread = float(np.std(step.errors, ddof=1)) if len(step.errors) > 1 else np.nan
        estimate = num4(step.estimate)
        name = SPOKEN[self.model.scheme]
        caption = (
            f"By {name}, the {self.error_name} of {spoken(self.model.model)} is {estimate}; on the"
            f" training rows, {num4(step.error)}."
        )
        rows = [
            ("Estimate", short(step.estimate)),
            ("Training error", short(step.error)),
            ("Standard deviation of the splits", None if np.isnan(spread) else short(spread)),
            ("No-information rate", short(step.no_information)),
        ]
        ledger: Blocks = [
            LedgerTable(("error", "value"), rows, f"The {self.error_name}", [0]),
            self._table(-1),
        ]
        if self.model.scheme == NESTED:
            chosen = [
                (i + 1, written(fold.settings or {}), short(fold.error))
                for i, fold in enumerate(self.folds)
            ]
            ledger.append(
                short_table(("split", "chosen", "error"), chosen, "Choices of the inner folds")
            )
            if self.inner:
                inner, outer = short(np.mean(self.inner)), short(step.estimate)
                difference = f"{num(outer)} − {signed(inner)} = {num4(outer - inner)}"
                ledger.append(Formula(f"Optimism of the chosen inner errors: {difference}"))
        return caption, ledger

    def _table(self, now: int) -> LedgerTable:
        shown = self.folds if now < 0 else self.folds[: now + 1]
        if self.model.NUMBERS:
            head: tuple[str, ...] = ("split", "test", "error")
            rows: list[tuple[Any, ...]] = [
                (f.index + 1, len(f.losses), short(f.error)) for f in shown
            ]
        else:
            head = ("split", "test", "wrong", "error")
            rows = [
                (f.index + 1, len(f.losses), int(f.losses.sum()), short(f.error)) for f in shown
            ]
        rows, first = (rows[-30:], len(rows) - 30) if len(rows) > 30 else (rows, 0)
        title = "Splits" if not first else f"The last 30 of {len(shown)} splits"
        return LedgerTable(head, rows, title, [len(rows) - 1] if now >= 0 else [], by="split")

    def _selected_row(self, step: ResamplingStep) -> Blocks:
        """Return the splits that tested the selected row, with its predictions."""
        if self.selected is None or step.phase != "done":
            return []
        places = np.flatnonzero(self.problem.trained == self.selected)
        rows = []
        for fold in self.folds:
            assert fold.split is not None
            at = np.flatnonzero(np.isin(fold.split.test, places))
            rows += [
                (fold.index + 1, self._prediction(fold.predicted[i]), short(fold.losses[i]))
                for i in at
            ]
        name = f"Row {self.problem.rows[self.selected] + 1}"
        if not rows:
            return [Formula(f"{name} was never a test row.")]
        y = np.asarray(self.problem.y)[self.selected]
        return [
            short_table(
                ("split", "predicted", "loss"),
                rows,
                f"{name}, {self._prediction(y)}, as a test row",
            )
        ]

    def _prediction(self, value: Any) -> Any:
        if self.model.NUMBERS:
            return short(value)
        known = np.unique(np.asarray(self.problem.y)[self.problem.trained])
        code = known[int(value)] if int(value) < len(known) else int(value)
        return self.problem.classes[code] if self.problem.classes else int(code)


def _is(n: int) -> str:
    return "is" if n == 1 else "are"


def rivals_blocks(rivals: Rivals, model: Any) -> Blocks:
    """Return the tests of two models with their numbers."""
    ledger: Blocks = [
        Formula(
            f"{spoken(model)} {num4(rivals.estimates[0])} − {rivals.name}"
            f" {num4(rivals.estimates[1])} = {num4(rivals.estimates[0] - rivals.estimates[1])}"
        )
    ]
    rows: list[tuple[Any, ...]] = []
    for name, found in (("paired t", rivals.paired), ("corrected t", rivals.corrected)):
        if np.isnan(found.statistic):
            rows.append((name, None, None))
            ledger.append(
                Formula(f"{name}: not defined, since the difference is the same in all splits")
            )
            continue
        rows.append((name, short(found.statistic), short(found.p_value)))
        sides = f"{num4(found.difference)} / {num4(found.error)}"
        ledger.append(
            Formula(f"{name} = difference / its error = {sides} = {num4(found.statistic)}")
        )
    if rivals.rows is not None:
        alone = int((rivals.rows.df + rivals.rows.difference) / 2)
        other = int(rivals.rows.df) - alone
        ledger.append(Formula(f"McNemar: {alone} and {other} rows misclassified by one model only"))
        rows.append(("McNemar", None, short(rivals.rows.p_value)))
    return [*ledger, LedgerTable(("test", "statistic", "p"), rows, "Tests of the difference")]
