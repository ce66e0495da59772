"""Captions and ledgers of resampling: splits, errors, estimate, tests of two models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.evaluation.models import candidates, settings_text, title_of
from dmlib.evaluation.resampling.base import ResamplingStep
from dmlib.evaluation.resampling.estimates import WEIGHT, fraction_in_sample
from dmlib.evaluation.resampling.splitting import B632_PLUS, BOOTSTRAPS, METHOD_LABELS, NESTED
from dmlib.evaluation.resampling.testing import TestResult
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed, upper_first
from dmlib.problem import Problem

MAX_TERMS = 6
MAX_LINES = 30  # of the table of splits


@dataclass(frozen=True)
class Rivals:
    """Two models on the same splits."""

    name: str  # of the rival
    estimates: tuple[float, float]  # of the model and of its rival
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
        """The name of the error."""
        return "mean squared error" if self.model.NUMBERS else "error rate"

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        build: Callable[[ResamplingStep], tuple[str, Blocks]] = getattr(
            self, f"_{moment.step.phase}"
        )
        caption, ledger = build(moment.step)
        return caption, [*ledger, *self._selected_row(moment.step)]

    def _split(self, step: ResamplingStep) -> tuple[str, Blocks]:
        n = len(self.problem.trained)
        name = upper_first(METHOD_LABELS[self.model.scheme])
        caption = f"{name} divides {n} rows: {count(len(step.splits), 'split', 'splits')}."
        if self.model.scheme not in BOOTSTRAPS:
            rows = [(i, len(s.train), len(s.test)) for i, s in enumerate(step.splits, start=1)]
            return caption, [
                short_table(("split", "train", "test"), rows, "Training and test rows")
            ]
        samples = [
            (i, len(s.train), len(np.unique(s.train)), len(s.test))
            for i, s in enumerate(step.splits, start=1)
        ]
        expected = f"1 − (1 − 1/{n})^{n} = {num4(fraction_in_sample(n))}"
        mean = num4(float(np.mean([n_distinct for _, _, n_distinct, _ in samples])) / n)
        return caption, [
            Formula(f"Fraction of distinct rows in a sample: {expected} expected, {mean} here."),
            short_table(("split", "drawn", "distinct", "test"), samples, "Samples"),
        ]

    def _inner(self, step: ResamplingStep) -> tuple[str, Blocks]:
        settings = [settings_text(candidate) for candidate in candidates(self.model.model)]
        rows = list(zip(settings, map(short, step.inner), strict=True))
        best = int(np.argmin(step.inner))
        caption = (
            f"Split {step.index + 1}: inner folds of its training rows choose {settings[best]}."
        )
        error = num4(step.inner[best])
        return caption, [
            Formula(f"The smallest inner error, {error}, is an optimistic estimate."),
            LedgerTable(("settings", "inner error"), rows, "Inner folds", [best]),
        ]

    def _fold(self, step: ResamplingStep) -> tuple[str, Blocks]:
        i = step.index + 1
        n = len(step.losses)
        rows = count(n, "test row", "test rows")
        error = num4(step.error)
        if self.model.NUMBERS:
            terms = f"({abridged([num4(loss) for loss in step.losses], MAX_TERMS)})"
            caption = f"Split {i}: {rows}, and the mean squared error is {error}."
        else:
            n_wrong = int(step.losses.sum())
            terms = str(n_wrong)
            verb = "is" if n_wrong == 1 else "are"
            caption = f"Split {i}: {n_wrong} of {rows} {verb} misclassified."
        errors = abridged([num4(fold.error) for fold in self.folds[:i]], MAX_TERMS)
        return caption, [
            Formula(f"e{i} = {terms} / {n} = {error}"),
            Formula(f"Mean so far: ({errors}) / {i} = {num4(step.mean)}"),
            self._table(self.folds[:i], [i - 1]),
        ]

    def _training(self, step: ResamplingStep) -> tuple[str, Blocks]:
        quotient = (
            "" if self.model.NUMBERS else f" = {int(np.sum(step.losses))} / {len(step.losses)}"
        )
        training, mean = num4(step.error), num4(step.mean)
        name = self.error_name
        caption = f"The {name} of the training rows is {training}, of the test rows {mean}."
        optimism = f"{mean} − {signed(step.error, 4)} = {num4(step.mean - step.error)}"
        return caption, [
            Formula(f"Training error{quotient} = {training}"),
            Formula(f"Optimism: {optimism}"),
        ]

    def _combine(self, step: ResamplingStep) -> tuple[str, Blocks]:
        weighted = step.weighted
        assert weighted is not None
        err, oob, gamma = (num4(value) for value in (step.error, step.mean, step.no_information))
        estimate, w = num4(weighted.estimate), num4(weighted.weight)
        ledger: Blocks = [Formula(f"Out-of-bag error ε = {oob}; training error err = {err}")]
        if weighted.weight == 1.0:
            return f"The mean out-of-bag error, {oob}, is the estimate: pessimistic.", ledger
        if self.model.scheme == B632_PLUS:
            oob = num4(min(step.mean, step.no_information))
            rate = "R = (min(ε, γ) − err) / (γ − err), in 0 to 1"
            ledger += [
                Formula(f"No-information error rate γ = {gamma}"),
                Formula(f"Overfitting rate {rate}: {num4(weighted.overfitting)}"),
                Formula(f"w = {WEIGHT} / (1 − 0.368 R) = {w}"),
            ]
        ledger.append(Formula(f"(1 − {w}) · {err} + {w} · {oob} = {estimate}"))
        return f"The errors are weighted by {w}: the estimate is {estimate}.", ledger

    def _done(self, step: ResamplingStep) -> tuple[str, Blocks]:
        spread = short(np.std(step.errors, ddof=1)) if len(step.errors) > 1 else None
        estimate, training = num4(step.estimate), num4(step.error)
        scheme = METHOD_LABELS[self.model.scheme]
        subject = f"the {self.error_name} of {title_of(self.model.model)} is {estimate}"
        rows = [
            ("Estimate", short(step.estimate)),
            ("Training error", short(step.error)),
            ("Standard deviation of the splits", spread),
            ("No-information rate", short(step.no_information)),
        ]
        ledger: Blocks = [
            LedgerTable(("error", "value"), rows, f"The {self.error_name}", [0]),
            self._table(self.folds),
        ]
        if self.model.scheme == NESTED:
            ledger += self._choices(step)
        return f"By {scheme}, {subject}; on the training rows, {training}.", ledger

    def _choices(self, step: ResamplingStep) -> Blocks:
        """Return the choices of the inner folds, and their optimism."""
        rows = [
            (fold.index + 1, settings_text(fold.settings or {}), short(fold.error))
            for fold in self.folds
        ]
        ledger: Blocks = [
            short_table(("split", "chosen", "error"), rows, "Choices of the inner folds")
        ]
        if self.inner:
            inner, outer = short(np.mean(self.inner)), short(step.estimate)
            difference = f"{num(outer)} − {signed(inner)} = {num4(outer - inner)}"
            ledger.append(Formula(f"Optimism of the chosen inner errors: {difference}"))
        return ledger

    def _table(self, folds: Sequence[ResamplingStep], emphasis: Sequence[int] = ()) -> LedgerTable:
        """Return the errors of splits, of many those of the last."""
        head: tuple[str, ...] = ("split", "test", "misclassified", "error")
        rows: list[tuple[Any, ...]] = [
            (f.index + 1, len(f.losses), int(f.losses.sum()), short(f.error)) for f in folds
        ]
        if self.model.NUMBERS:  # nothing is wrong
            head, rows = ("split", "test", "error"), [(i, n, error) for i, n, _, error in rows]
        title = "Splits"
        n_hidden = max(len(rows) - MAX_LINES, 0)
        if n_hidden:
            title = f"The last {MAX_LINES} of {len(rows)} splits"
        marked = [line - n_hidden for line in emphasis]
        return LedgerTable(head, rows[n_hidden:], title, marked, by="split")

    def _selected_row(self, step: ResamplingStep) -> Blocks:
        """Return the splits that tested the selected row, with its predictions."""
        if self.selected is None or step.phase != "done":
            return []
        places = np.flatnonzero(self.problem.trained == self.selected)
        rows = []
        for fold in self.folds:
            assert fold.split is not None
            rows += [
                (fold.index + 1, self._prediction(fold.predicted[i]), short(fold.losses[i]))
                for i in np.flatnonzero(np.isin(fold.split.test, places))
            ]
        name = f"Row {self.problem.rows[self.selected] + 1}"
        if not rows:
            return [Formula(f"{name} was never a test row.")]
        y = self._prediction(np.asarray(self.problem.y)[self.selected])
        head = ("split", "predicted", "loss")
        return [short_table(head, rows, f"{name}, {y}, as a test row")]

    def _prediction(self, value: Any) -> Any:
        if self.model.NUMBERS:
            return short(value)
        classes = np.unique(np.asarray(self.problem.y)[self.problem.trained])
        code = classes[int(value)] if int(value) < len(classes) else int(value)
        return self.problem.classes[code] if self.problem.classes else int(code)


def rivals_blocks(rivals: Rivals, model: Any) -> Blocks:
    """Return the tests of two models with their numbers."""
    first, second = rivals.estimates
    names = f"{title_of(model)} {num4(first)} − {rivals.name} {num4(second)}"
    ledger: Blocks = [Formula(f"{names} = {num4(first - second)}")]
    rows: list[tuple[Any, ...]] = []
    for name, test in (("paired t", rivals.paired), ("corrected t", rivals.corrected)):
        if np.isnan(test.statistic):
            rows.append((name, None, None))
            reason = "not defined, since the difference is the same in all splits"
            ledger.append(Formula(f"{name}: {reason}"))
            continue
        rows.append((name, short(test.statistic), short(test.p_value)))
        quotient = f"{num4(test.difference)} / {num4(test.error)} = {num4(test.statistic)}"
        ledger.append(Formula(f"{name} = difference / its error = {quotient}"))
    if rivals.rows is not None:
        first_only = int((rivals.rows.df + rivals.rows.difference) / 2)
        counts = f"{first_only} and {int(rivals.rows.df) - first_only}"
        ledger.append(Formula(f"McNemar: {counts} rows misclassified by one model only"))
        rows.append(("McNemar", None, short(rivals.rows.p_value)))
    return [*ledger, LedgerTable(("test", "statistic", "p"), rows, "Tests of the difference")]
