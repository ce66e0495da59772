"""The arithmetic of a threshold: counts and rates, the area, the profit, and the losses of a row."""

from __future__ import annotations

import numpy as np

from dmlib.evaluation import ThresholdStep, informational_loss, quadratic_loss
from dmlib.evaluation.measures_ledger import count_table, loss_lines, rate_table, score_frame, shown
from dmlib.evaluation.roc.curves_scene import BEST, HERE, SLOPE
from dmlib.evaluation.roc.sweep_scene import Sweep
from dmlib.evaluation.scores import ScoreStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

RATES = {"recall": 1, "fpr": 1, "youden": 1, "precision": 2, "lift": 3, "profit": 4}
"""The number of the curve on which the point of the threshold shows a rate: by its place, or
against guessing."""


class Narrator:
    """Captions and ledgers of a sweep.

    Parameters
    ----------
    run : Run
        The run.
    sweep : Sweep
        Its thresholds with the curves.
    """

    def __init__(self, run: Run, sweep: Sweep) -> None:
        self.problem, self.model, self.sweep = run.problem, run.model, sweep
        self.selected_row = _selected_row(run.problem, sweep, run.selected)

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ScoreStep | ThresholdStep = now.step
        if isinstance(step, ScoreStep):
            caption, ledger = score_frame(self.problem, step, self.model.model, self.model.column)
        elif step.phase == "done":
            caption, ledger = _end(self.sweep), _summary(self.sweep)
        else:
            before = None if step.phase == "start" else now.before
            caption = _caption(self.problem, self.sweep, step, before)
            ledger = self._threshold(step, before)
        return caption, [*self.selected_row, *ledger]

    def _threshold(self, step: ThresholdStep, before: ThresholdStep | None) -> Blocks:
        """Return the counts, what the area gains, and all rates at a threshold."""
        sweep = self.sweep
        ledger: Blocks = [count_table(self.problem.classes, step, "No row is predicted +")]
        if before is not None:
            title = f"Predicted + at score ≥ {_score(sweep, step.threshold)}"
            ledger = [count_table(self.problem.classes, step, title), _area(sweep, step, before)]
        base_rate = sweep.lift.base_rate
        quotient = f"{step.precision:.3g} / {base_rate:.3g}".replace("nan", "?")
        profit = sweep.profit.payoff.profit(step.tpr, step.fpr)
        measures = {
            "kappa": ("Kappa", "", shown(step.kappa)),
            "lift": ("Lift", quotient, shown(step.precision / base_rate)),
            "profit": ("Profit per row", "", shown(profit)),
        }
        return [*ledger, rate_table(step, measures, HERE, RATES)]


def _end(sweep: Sweep) -> str:
    best = _level(sweep, sweep.roc.thresholds[sweep.profit.best])
    return (
        f"Every row is predicted positive: the area is {sweep.roc.auc:.4g}, and {best} is optimal."
    )


def _caption(
    problem: Problem, sweep: Sweep, step: ThresholdStep, before: ThresholdStep | None
) -> str:
    if before is None:
        return (
            "The threshold is above all scores: no row is predicted positive, so TPR and FPR are 0."
        )
    right, wrong = step.tp - before.tp, step.fp - before.fp
    n = right + wrong
    falls = f"The threshold falls to {_score(sweep, step.threshold, 4)}"
    if n == 1:
        row = problem.rows[sweep.learned[step.rows[0]]] + 1
        if right:
            return f"{falls}: row {row} is predicted positive and is; up, TP = {step.tp}."
        return (
            f"{falls}: row {row} is predicted positive but is negative; to the right, FP ="
            f" {step.fp}."
        )
    passed = f"{n} rows with this score" if len(step.rows) == n else f"{n} more rows"
    return f"{falls}: {passed} are predicted positive, {right} true and {wrong} false positives."


def _area(sweep: Sweep, step: ThresholdStep, before: ThresholdStep) -> Formula:
    pairs = sweep.roc.counts.n_positive * sweep.roc.counts.n_negative
    if step.fp == before.fp:
        return Formula(f"Area: FP stays, nothing is added; {before.area:g} of {pairs} pairs.")
    return Formula(
        f"Area: {before.area:g} + {step.area - before.area:g} = {step.area:g} of {pairs} pairs."
    )


def _level(sweep: Sweep, threshold: float) -> str:
    return (
        "a threshold above all scores"
        if np.isinf(threshold)
        else f"the threshold {_score(sweep, threshold)}"
    )


def _score(sweep: Sweep, threshold: float, digits: int = 6) -> str:
    """Return a threshold, with digits that tell the scores apart."""
    scores = sweep.roc.thresholds[np.isfinite(sweep.roc.thresholds)]
    return threshold_text(threshold, scores, digits, inclusive=False).replace("-", "−")


def _summary(sweep: Sweep) -> Blocks:
    roc, curve = sweep.roc, sweep.profit
    payoff, best = curve.payoff, curve.best
    m, n = int(roc.counts.n_positive), int(roc.counts.n_negative)
    areas = [
        ("Area under ROC, AUC", roc.auc),
        (
            "its standard error (DeLong)",
            "one row of a class" if min(m, n) < 2 else roc.standard_error(),
        ),
        ("Gini, 2 AUC − 1", roc.gini),
        ("Average precision", sweep.pr.average_precision),
        ("Precision = recall", sweep.pr.break_even),
        ("Largest TPR − FPR", roc.ks),
        ("reached at the threshold", shown(roc.thresholds[roc.best()])),
    ]
    worth = [
        ("Prior, share of positives", payoff.prior),
        ("Slope of equal profit", shown(payoff.slope)),
        ("Threshold optimal", shown(roc.thresholds[best])),
        ("FPR there", float(roc.fpr[best])),
        ("TPR there", float(roc.tpr[best])),
        ("Profit per row there", float(curve.profit[best])),
        ("predicting none positive", float(curve.profit[0])),
        ("predicting all positive", float(curve.profit[-1])),
    ]
    return [
        Formula(f"AUC = {roc.auc * m * n:.6g} pairs / ({m} · {n}) = {roc.auc:.6g}"),
        LedgerTable(
            ("of the whole curve", "value"),
            areas,
            "Areas",
            by="curve",
            numbers=(1, 1, 1, 2, 2, 1, 1),
        ),
        LedgerTable(
            ("with these costs", "value"),
            worth,
            "Profit",
            by=BEST,
            numbers=(None, SLOPE, 1, 1, 1, 4, None, None),
        ),
        *_losses(sweep),
        _tenths(sweep),
    ]


def _losses(sweep: Sweep) -> Blocks:
    if not sweep.probabilities:
        return [
            Formula("Quadratic and informational loss need probabilities; these scores are none.")
        ]
    truth, p = sweep.roc.counts.positive.astype(int), sweep.score[sweep.known]
    rows = [
        ("Quadratic loss", shown(quadratic_loss(truth, p))),
        ("Informational loss, bits", shown(informational_loss(truth, p))),
    ]
    return [LedgerTable(("loss", "mean of the rows"), rows, "Losses of the probabilities")]


def _tenths(sweep: Sweep) -> LedgerTable:
    table = sweep.lift.table
    columns = (table.cum_n, table.cum_positives, table.gain, table.lift)
    rows = [
        (i, int(n), float(positives), float(gain), float(lift))
        for i, (n, positives, gain, lift) in enumerate(zip(*columns, strict=True), start=1)
    ]
    ties = ", the mean over tied rows" if table.tied.any() else ""
    return LedgerTable(
        ("part", "rows", "found", "gain", "lift"),
        rows,
        f"Best rows first, in parts{ties}",
        by="part",
    )


def _selected_row(problem: Problem, sweep: Sweep, selected: int | None) -> Blocks:
    """Return the arithmetic of the selected sample."""
    if selected is None or problem.y is None:
        return []
    score, positive = float(sweep.score[selected]), bool(problem.y[selected])
    name = f"Row {problem.rows[selected] + 1}"
    truth = "positive" if positive else "negative"
    until = f"predicted positive once the threshold is ≤ {_score(sweep, score)}"
    blocks: Blocks = [
        Formula(f"{name} is {truth} ({problem.classes[problem.y[selected]]}): {until}")
    ]
    if sweep.probabilities:
        return [*blocks, *loss_lines(name, score if positive else 1 - score)]
    higher = int((sweep.score[sweep.known] > score).sum())
    return [*blocks, Formula(f"{name}: {count(higher, 'row scores', 'rows score')} higher")]
