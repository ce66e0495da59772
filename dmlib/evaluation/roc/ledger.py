"""Captions and ledgers of a threshold: counts, rates, area, profit, and losses of a row."""

from __future__ import annotations

import numpy as np

from dmlib.evaluation import ThresholdStep, informational_loss, quadratic_loss
from dmlib.evaluation.measures_ledger import (
    count_table,
    loss_lines,
    measure_cell,
    rate_table,
    score_frame,
)
from dmlib.evaluation.roc.curves_scene import BEST, CURRENT, SLOPE
from dmlib.evaluation.roc.mailing import Mailing, mailing_of
from dmlib.evaluation.roc.sweep_scene import Sweep
from dmlib.evaluation.roc.threshold_sweep import ThresholdSweep
from dmlib.evaluation.scores import ScoreStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

RATES = {"recall": 1, "fpr": 1, "youden": 1, "precision": 2, "lift": 3, "profit": 4}
"""The number of the curve on which a rate can be read at the point of the threshold."""


class Narrator:
    """Captions and ledgers of a sweep.

    Parameters
    ----------
    run : Run
        The run.
    sweep : Sweep
        Its thresholds with the curves.
    """

    def __init__(self, run: Run[Problem, ThresholdSweep], sweep: Sweep) -> None:
        self.problem = run.problem
        self.model = run.model
        self.sweep = sweep
        self.mailing = mailing_of(run.options)
        self.selected_row = _selected_row(run.problem, sweep, run.selected)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ScoreStep | ThresholdStep = moment.step
        if isinstance(step, ScoreStep):
            caption, ledger = score_frame(self.problem, step, self.model.model, self.model.column)
        elif step.phase == "done":
            caption, ledger = _end(self.sweep), _summary(self.sweep, self.mailing)
        else:
            before = None if step.phase == "start" else moment.before
            caption = _caption(self.problem, self.sweep, step, before)
            if step.threshold == self.sweep.roc.thresholds[self.sweep.profit.best]:
                caption += " The profit is largest here."
            ledger = self._threshold(step, before)
        return caption, [*self.selected_row, *ledger]

    def _threshold(self, step: ThresholdStep, before: ThresholdStep | None) -> Blocks:
        """Return the counts, the growth of the area, and all rates at a threshold."""
        sweep = self.sweep
        ledger: Blocks = [count_table(self.problem.classes, step, "No row is predicted +")]
        if before is not None:
            title = f"Predicted + at score ≥ {_score(sweep, step.threshold)}"
            ledger = [count_table(self.problem.classes, step, title), _area(sweep, step, before)]
        base_rate = sweep.lift.base_rate
        quotient = f"{step.precision:.3g} / {base_rate:.3g}".replace("nan", "?")
        profit = sweep.profit.payoff.profit(step.tpr, step.fpr)
        measures = {
            "kappa": ("Kappa", "", measure_cell(step.kappa)),
            "lift": ("Lift", quotient, measure_cell(step.precision / base_rate)),
            "profit": ("Profit per row", "", measure_cell(profit)),
        }
        return [*ledger, rate_table(step, measures, CURRENT, RATES)]


def _end(sweep: Sweep) -> str:
    best = _level(sweep, sweep.roc.thresholds[sweep.profit.best])
    return (
        f"Every row is predicted positive: the area is {sweep.roc.auc:.4g}, and {best} is optimal."
    )


def _caption(
    problem: Problem, sweep: Sweep, step: ThresholdStep, before: ThresholdStep | None
) -> str:
    if before is None:
        rates = "no row is predicted positive, so TPR and FPR are 0"
        return f"The threshold is above all scores: {rates}."
    n_true = step.tp - before.tp
    n_false = step.fp - before.fp
    n = n_true + n_false
    falls = f"The threshold falls to {_score(sweep, step.threshold, 4)}"
    if n == 1:
        row = f"row {problem.rows[sweep.learned[step.rows[0]]] + 1} is predicted positive"
        if n_true:
            return f"{falls}: {row} and is; up, TP = {step.tp}."
        return f"{falls}: {row} but is negative; to the right, FP = {step.fp}."
    rows = f"{n} rows with this score" if len(step.rows) == n else f"{n} more rows"
    positives = f"{n_true} true and {n_false} false positives"
    return f"{falls}: {rows} are predicted positive, {positives}."


def _area(sweep: Sweep, step: ThresholdStep, before: ThresholdStep) -> Formula:
    pairs = sweep.roc.counts.n_positive * sweep.roc.counts.n_negative
    if step.fp == before.fp:
        return Formula(f"Area: FP stays, nothing is added; {before.area:g} of {pairs} pairs.")
    growth = f"{before.area:g} + {step.area - before.area:g} = {step.area:g}"
    return Formula(f"Area: {growth} of {pairs} pairs.")


def _level(sweep: Sweep, threshold: float) -> str:
    if np.isinf(threshold):
        return "a threshold above all scores"
    return f"the threshold {_score(sweep, threshold)}"


def _score(sweep: Sweep, threshold: float, digits: int = 6) -> str:
    """Return a threshold, with digits that separate it from the scores."""
    scores = sweep.roc.thresholds[np.isfinite(sweep.roc.thresholds)]
    return threshold_text(threshold, scores, digits, inclusive=False).replace("-", "−")


def _summary(sweep: Sweep, mailing: Mailing) -> Blocks:
    return [*_areas(sweep), _profit(sweep), *_losses(sweep), _tenths(sweep, mailing)]


def _areas(sweep: Sweep) -> Blocks:
    roc = sweep.roc
    m, n = int(roc.counts.n_positive), int(roc.counts.n_negative)
    error = "one row of a class" if min(m, n) < 2 else roc.standard_error()
    areas = [
        ("Area under ROC, AUC", roc.auc),
        ("its standard error (DeLong)", error),
        ("Gini, 2 AUC − 1", roc.gini),
        ("Average precision", sweep.pr.average_precision),
        ("Precision = recall", sweep.pr.break_even),
        ("Largest TPR − FPR", roc.ks),
        ("reached at the threshold", measure_cell(roc.thresholds[roc.best()])),
    ]
    numbers = (1, 1, 1, 2, 2, 1, 1)
    head = ("of the whole curve", "value")
    return [
        Formula(f"AUC = {roc.auc * m * n:.6g} pairs / ({m} · {n}) = {roc.auc:.6g}"),
        LedgerTable(head, areas, "Areas", by="curve", numbers=numbers),
    ]


def _profit(sweep: Sweep) -> LedgerTable:
    roc, curve = sweep.roc, sweep.profit
    payoff, best = curve.payoff, curve.best
    rows = [
        ("Prior, share of positives", payoff.prior),
        ("Slope of equal profit", measure_cell(payoff.slope)),
        ("Threshold optimal", measure_cell(roc.thresholds[best])),
        ("FPR there", float(roc.fpr[best])),
        ("TPR there", float(roc.tpr[best])),
        ("Profit per row there", float(curve.profit[best])),
        ("predicting none positive", float(curve.profit[0])),
        ("predicting all positive", float(curve.profit[-1])),
    ]
    numbers = (None, SLOPE, 1, 1, 1, 4, None, None)
    return LedgerTable(("with these costs", "value"), rows, "Profit", by=BEST, numbers=numbers)


def _losses(sweep: Sweep) -> Blocks:
    if not sweep.probabilities:
        return [
            Formula("Quadratic and informational loss need probabilities; these scores are none.")
        ]
    truth = sweep.roc.counts.positive.astype(int)
    p = sweep.score[sweep.scored]
    rows = [
        ("Quadratic loss", measure_cell(quadratic_loss(truth, p))),
        ("Informational loss, bits", measure_cell(informational_loss(truth, p))),
    ]
    return [LedgerTable(("loss", "mean of the rows"), rows, "Losses of the probabilities")]


def _tenths(sweep: Sweep, mailing: Mailing) -> LedgerTable:
    table = sweep.lift.table
    profit = mailing.profit(table.cum_n / len(sweep.scored), table.gain)
    values = np.column_stack((table.cum_positives, table.gain, table.lift, profit)).tolist()
    rows = [(i, int(table.cum_n[i - 1]), *row) for i, row in enumerate(values, start=1)]
    ties = ", the mean over tied rows" if table.tied.any() else ""
    head = ("part", "rows", "found", "gain", "lift", "mailing")
    return LedgerTable(head, rows, f"Best rows first, in parts{ties}", by="part")


def _selected_row(problem: Problem, sweep: Sweep, selected: int | None) -> Blocks:
    """Return score and losses of the selected sample."""
    if selected is None or problem.y is None:
        return []
    score = float(sweep.score[selected])
    is_positive = bool(problem.y[selected])
    name = f"Row {problem.rows[selected] + 1}"
    truth = f"{'positive' if is_positive else 'negative'} ({problem.classes[problem.y[selected]]})"
    condition = f"predicted positive once the threshold is ≤ {_score(sweep, score)}"
    ledger: Blocks = [Formula(f"{name} is {truth}: {condition}")]
    if sweep.probabilities:
        return [*ledger, *loss_lines(name, score if is_positive else 1 - score)]
    n_higher = int((sweep.score[sweep.scored] > score).sum())
    return [*ledger, Formula(f"{name}: {count(n_higher, 'row scores', 'rows score')} higher")]
