"""A threshold that falls through the scores: ROC, precision-recall, gains and profit move together."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dmlib.evaluation import ThresholdStep, informational_loss, quadratic_loss
from dmlib.evaluation.measures_ledger import (
    count_table,
    loss_lines,
    rate_table,
    score_frame,
    settings_note,
    shown,
)
from dmlib.evaluation.roc.curves_scene import BEST, HERE, LEGEND, SLOPE, marks, panels
from dmlib.evaluation.roc.sweep_scene import Sweep, sweep_of
from dmlib.evaluation.scores import ScoreStep
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import class_legend
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame, Scene
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

BESIDE = ("all", "precision-recall", "gains", "profit")
OPTIONS: dict[str, Any] = {
    "prior": 0.0,
    "benefit_tp": 1.0,
    "cost_fp": 1.0,
    "cost_fn": 0.0,
    "benefit_tn": 0.0,
    "beside": "all",
    "play_folds": True,
}
"""The share of positive rows where the classifier is used (0: as in the data), what :class:`dmlib.evaluation.Payoff`
takes, the curves that are drawn beside the ROC curve and the scores, and whether the scoring of each fold is played."""
PANELS = {"precision-recall": "pr"}
RATES = {"recall": 1, "fpr": 1, "youden": 1, "precision": 2, "lift": 3, "profit": 4}
"""The number of the curve on which the point of the threshold shows a rate: by its place, or against guessing."""


def roc_scene(run: Run) -> Scene:
    """Draw a threshold that falls through the scores.

    There is a frame for each fold, for each threshold (of many, a part), and for the end of the steps of
    :class:`dmlib.evaluation.ThresholdSweep` on two classes, of which 1 is the positive one; see :data:`OPTIONS`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.evaluation import ThresholdSweep
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"score": [0.9, 0.8, 0.4, 0.1], "ill": ["yes", "no", "yes", "no"]})
    >>> problem = prepare(frame, ["score"], target="ill", labelled=True, positive="yes")
    >>> scene = roc_scene(Run.of(problem, ThresholdSweep("column")))
    >>> [frame.phase for frame in scene.frames]
    ['score', 'start', 'threshold', 'threshold', 'threshold', 'threshold', 'done']
    """
    problem, trace, model = run.problem, run.trace, run.model
    options = {**OPTIONS, **run.options}
    beside = options.pop("beside")
    sweep = sweep_of(run, **options)
    if sweep is None:
        return data_scene(problem, trace.reason or "There is no threshold to show.")
    asked = _asked(problem, sweep, run.selected)

    def scored(fold: ScoreStep) -> Frame:
        caption, ledger = score_frame(problem, fold, model.model, model.column)
        return Frame(caption, [*asked, *ledger], fold.phase)

    tell = [partial(scored, fold) for fold in sweep.played]
    tell += [
        partial(_frame, problem, sweep, step, before, asked)
        for before, step in zip([None, *sweep.passed[:-1]], sweep.passed, strict=True)
    ]
    frames = Deferred(lambda frame: frame(), tell)
    drawn = panels(problem, sweep)
    if beside != "all":
        drawn = {name: drawn[name] for name in ("data", "scores", PANELS.get(beside, beside))}
    return Scene(
        tuple(drawn.values()),
        [mark for mark in marks(problem, sweep) if mark.panel in drawn],
        frames,
        (*problem.notes, *settings_note(model.model), *_notes(sweep)),
        legend=(*class_legend(problem), *LEGEND),
    )


def _notes(sweep: Sweep) -> tuple[str, ...]:
    notes = [*sweep.thinned]
    if len(sweep.scored) > 1:
        notes.append("Scores of different folds come from different models and are sorted together.")
    return tuple(notes)


def _frame(problem: Problem, sweep: Sweep, step: ThresholdStep, before: ThresholdStep | None, asked: Blocks) -> Frame:
    if step.phase == "done":
        best = _level(sweep, sweep.roc.thresholds[sweep.profit.best])
        caption = f"Every row is predicted positive: the area is {sweep.roc.auc:.4g}, and {best} is optimal."
        return Frame(caption, [*asked, *_summary(sweep)], "done")
    title = "No row is predicted +" if before is None else f"Predicted + at score ≥ {_score(sweep, step.threshold)}"
    ledger: Blocks = [*asked, count_table(problem.classes, step, title)]
    if before is not None:
        ledger.append(_area(sweep, step, before))
    lift, profit = step.precision / sweep.lift.base_rate, sweep.profit.payoff.profit(step.tpr, step.fpr)
    more = {
        "kappa": ("Kappa", "", shown(step.kappa)),
        "lift": ("Lift", f"{step.precision:.3g} / {sweep.lift.base_rate:.3g}".replace("nan", "?"), shown(lift)),
        "profit": ("Profit per row", "", shown(profit)),
    }
    rates = rate_table(step, more, HERE, RATES)
    return Frame(_caption(problem, sweep, step, before), [*ledger, rates], step.phase)


def _caption(problem: Problem, sweep: Sweep, step: ThresholdStep, before: ThresholdStep | None) -> str:
    if before is None:
        return "The threshold is above all scores: no row is predicted positive, so TPR and FPR are 0."
    right, wrong = step.tp - before.tp, step.fp - before.fp
    falls = f"The threshold falls to {_score(sweep, step.threshold, 4)}"
    if right + wrong == 1:
        row = problem.rows[sweep.learned[step.rows[0]]] + 1
        if right:
            return f"{falls}: row {row} is predicted positive and is; up, TP = {step.tp}."
        return f"{falls}: row {row} is predicted positive but is negative; to the right, FP = {step.fp}."
    passed = (
        f"{right + wrong} rows with this score" if len(step.rows) == right + wrong else f"{right + wrong} more rows"
    )
    return f"{falls}: {passed} are predicted positive, {right} true and {wrong} false positives."


def _area(sweep: Sweep, step: ThresholdStep, before: ThresholdStep) -> Formula:
    pairs = sweep.roc.counts.n_positive * sweep.roc.counts.n_negative
    if step.fp == before.fp:
        return Formula(f"Area: FP stays, nothing is added; {before.area:g} of {pairs} pairs.")
    return Formula(f"Area: {before.area:g} + {step.area - before.area:g} = {step.area:g} of {pairs} pairs.")


def _level(sweep: Sweep, threshold: float) -> str:
    return "a threshold above all scores" if np.isinf(threshold) else f"the threshold {_score(sweep, threshold)}"


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
        ("its standard error (DeLong)", "one row of a class" if min(m, n) < 2 else roc.standard_error()),
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
        LedgerTable(("of the whole curve", "value"), areas, "Areas", by="curve", numbers=(1, 1, 1, 2, 2, 1, 1)),
        LedgerTable(
            ("with these costs", "value"), worth, "Profit", by=BEST, numbers=(None, SLOPE, 1, 1, 1, 4, None, None)
        ),
        *_losses(sweep),
        _tenths(sweep),
    ]


def _losses(sweep: Sweep) -> Blocks:
    if not sweep.probabilities:
        return [Formula("Quadratic and informational loss need probabilities; these scores are none.")]
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
        (i, int(n), float(found), float(gain), float(lift))
        for i, (n, found, gain, lift) in enumerate(zip(*columns, strict=True), start=1)
    ]
    ties = ", the mean over tied rows" if table.tied.any() else ""
    return LedgerTable(("part", "rows", "found", "gain", "lift"), rows, f"Best rows first, in parts{ties}", by="part")


def _asked(problem: Problem, sweep: Sweep, selected: int | None) -> Blocks:
    """Return the arithmetic of the selected sample."""
    if selected is None or problem.y is None:
        return []
    score, positive = float(sweep.score[selected]), bool(problem.y[selected])
    name = f"Row {problem.rows[selected] + 1}"
    truth = "positive" if positive else "negative"
    until = f"predicted positive once the threshold is ≤ {_score(sweep, score)}"
    blocks: Blocks = [Formula(f"{name} is {truth} ({problem.classes[problem.y[selected]]}): {until}")]
    if sweep.probabilities:
        return [*blocks, *loss_lines(name, score if positive else 1 - score)]
    higher = int((sweep.score[sweep.known] > score).sum())
    return [*blocks, Formula(f"{name}: {count(higher, 'row scores', 'rows score')} higher")]
