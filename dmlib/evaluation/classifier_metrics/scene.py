"""A confusion matrix that fills row by row, and the measures that are made of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation import MeasureStep, ScoreStep
from dmlib.evaluation.classifier_metrics.cells_scene import Cells
from dmlib.evaluation.classifier_metrics.classifier_report import MEASURES
from dmlib.evaluation.classifier_metrics.ledger import Report, report_of
from dmlib.evaluation.classifier_metrics.panels_scene import BARS, bars, chance, lanes, losses
from dmlib.evaluation.classifier_metrics.texts_ledger import (
    TITLES,
    arithmetic,
    caption,
    chance_table,
    loss_texts,
    matrix_table,
)
from dmlib.evaluation.measures_ledger import Row, score_frame, settings_note, shown
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.marks import Mark, PerFrame
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame, Handle, Key, Scene
from dmlib.pictures.words import count, num
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

WITH_CHANCE = ("accuracy", "balanced_accuracy", "kappa", "expected_cost")
"""The measures beside which it is told what knowing nothing would reach."""


def classifier_metrics_scene(run: Run) -> Scene:
    """Draw a confusion matrix that fills, and the measures of it.

    There is a frame for each fold, for some rows at a time, for each measure, and for the end of the steps of
    :class:`dmlib.evaluation.ClassifierReport`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.evaluation import ClassifierReport
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"score": [0.9, 0.8, 0.4, 0.1], "ill": ["yes", "no", "yes", "no"]})
    >>> problem = prepare(frame, ["score"], target="ill", labelled=True)
    >>> scene = classifier_metrics_scene(Run.of(problem, ClassifierReport("column")))
    >>> scene.frames[4].caption
    'Row 4 is no and is predicted no: TN = 1.'
    """
    problem, trace, model = run.problem, run.trace, run.model
    report = report_of(problem, trace)
    if report is None:
        return data_scene(problem, trace.reason or "There is nothing to show.")
    cells = Cells.of(problem.classes, report.positive)
    asked = _asked(problem, report, model.threshold, run.selected)
    fitted = run.fitted if problem.test is not None and trace.complete else None
    tell: list[Callable[[], Frame]] = [partial(_score, problem, fold, model, asked) for fold in report.scored]
    tell += [partial(_count, problem, report, cells, i, asked) for i in range(len(report.counted))]
    tell += [partial(_measure, problem, report, step, fitted, asked) for step in report.measured]
    frames = Deferred(lambda told: told(), tell)
    binary = len(problem.classes) == 2
    parts = [bars(report), chance(report)]
    legend = [Key(name, code) for code, name in enumerate(problem.classes)]
    if binary:
        parts.insert(0, lanes(problem, report, model.threshold, model.column))
    if report.given is not None:
        parts.append(losses(problem, report, report.given))
        legend.append(Key("quadratic loss", hollow=True))
    return Scene(
        (cells.panel(), *(panel for panel, _ in parts)),
        [*_matrix(problem, report, cells), *(mark for _, marks in parts for mark in marks)],
        frames,
        (*problem.notes, *settings_note(model.model), *_notes(report)),
        (Handle("threshold", "scores", "threshold", "x", model.threshold),) if binary else (),
        tuple(legend),
    )


def _notes(report: Report) -> tuple[str, ...]:
    if report.kind == "decision":
        return ("The threshold is compared with 1 / (1 + exp(−decision)), which is no probability.",)
    return ()


# --- marks ------------------------------------------------------------------------------------------------------------


def _matrix(problem: Problem, report: Report, cells: Cells) -> list[Mark]:
    """Return the cells, a dot for each row that is counted, and the counts."""
    seen = [np.zeros(len(problem.X))] * len(report.scored)
    for entered, _ in report.counted:
        now = seen[-1].copy()
        now[entered] = 1.0
        seen.append(now)
    seen += [seen[-1]] * len(report.measured)
    before: list[NDArray[Any] | None] = [None] * len(report.scored)
    matrices = [*before, *(matrix for _, matrix in report.counted), *(step.matrix for step in report.measured)]
    measures = [""] * report.n_before + [step.name for step in report.measured]
    dots = cells.dots(problem, report.truth, report.called, report.order, PerFrame(seen))
    return [cells.marks(measures), dots, *cells.numbers(matrices)]


# --- frames -----------------------------------------------------------------------------------------------------------


def _score(problem: Problem, fold: ScoreStep, model: Any, asked: Blocks) -> Frame:
    text, ledger = score_frame(problem, fold, model.model, model.column)
    return Frame(text, [*asked, *ledger], fold.phase)


def _count(problem: Problem, report: Report, cells: Cells, at: int, asked: Blocks) -> Frame:
    entered, matrix = report.counted[at]
    truth, called, names = report.truth[entered], report.called[entered], problem.classes
    right, n = int(np.trace(matrix)), int(matrix.sum())
    if len(entered) == 1:
        row, i, j = problem.rows[entered[0]] + 1, int(truth[0]), int(called[0])
        where = f"{cells.role(i, j)} = {matrix[i, j]}" if len(names) == 2 else f"{matrix[i, j]} there"
        text = f"Row {row} is {names[i]} and is predicted {names[j]}: {where}."
    else:
        good = int((truth == called).sum())
        text = f"{len(entered)} rows enter: {good} on the diagonal, {len(entered) - good} beside it."
    table = matrix_table(matrix, names, "Counted so far", sorted({int(i) for i in truth}))
    return Frame(text, [*asked, table, Formula(f"correct so far: {right} / {n} = {right / n:.4g}")], "count")


def _measure(problem: Problem, report: Report, step: MeasureStep, fitted: Any, asked: Blocks) -> Frame:
    names = problem.classes
    matrix = matrix_table(step.matrix, names, "Confusion matrix", [step.positive])
    if step.phase == "done":
        return Frame(_end(report), [*asked, *_summary(problem, report, fitted), matrix], "done")
    ledger = [*asked, *arithmetic(step, names), *_mean_loss(report, step)]
    if step.name in WITH_CHANCE:
        ledger.append(chance_table(step, names))
    return Frame(caption(step, names), [*ledger, matrix], "measure")


def _end(report: Report) -> str:
    values = {step.name: step.value for step in report.measured}
    matrix = report.measured[-1].matrix
    kappa = "undefined" if np.isnan(values["kappa"]) else f"{values['kappa']:.4g}"
    mistakes = count(int(matrix.sum() - np.trace(matrix)), "row is", "rows are")
    return (
        f"All measures are computed: {mistakes} misclassified, accuracy is {values['accuracy']:.4g} and kappa {kappa}."
    )


def _summary(problem: Problem, report: Report, fitted: Any) -> Blocks:
    steps = [step for step in report.measured if step.name in MEASURES]
    rows: list[Row] = [
        (TITLES[step.name], "no probabilities" if "loss" in step.name and np.isnan(step.value) else shown(step.value))
        for step in steps
    ]
    bar = {name: number for number, name in enumerate(BARS, 1)}
    numbers = [bar.get(step.name) for step in steps]
    of = f"of {problem.classes[report.positive]}" if len(problem.classes) == 2 else "mean over the classes"
    blocks: Blocks = [
        chance_table(report.measured[-1], problem.classes),
        LedgerTable(("measure", "value"), rows, f"All measures; rates are {of}", by="measure", numbers=numbers),
    ]
    if problem.test is not None and fitted is not None:
        blocks.append(error_table(problem, fitted))
    return blocks


def _mean_loss(report: Report, step: MeasureStep) -> Blocks:
    if report.given is None or "loss" not in step.name:
        return []
    p = report.given[report.order, report.truth[report.order]]
    return [Formula(text) for text in loss_texts(step, p)]


def _asked(problem: Problem, report: Report, threshold: float, selected: int | None) -> Blocks:
    """Return the scores and losses of the selected sample."""
    if selected is None:
        return []
    name, truth, called = f"Row {problem.rows[selected] + 1}", report.truth[selected], report.called[selected]
    classes = problem.classes
    if called < 0:
        return [Formula(f"{name} is {classes[truth]}; it is a training or test row, so it is not counted.")]
    if len(classes) == 2:
        score = report.score[selected]
        compared = f"{threshold_text(score, [threshold], 4)} {'≥' if score >= threshold else '<'} {threshold:g}"
        why = f"score {compared}, so {classes[called]} is predicted"
    else:
        why = f"{classes[called]} has the highest score, so it is predicted"
    blocks: Blocks = [Formula(f"{name} is {classes[truth]}: {why}")]
    return blocks if report.given is None else [*blocks, *_row_losses(name, int(truth), report.given[selected])]


def _row_losses(name: str, truth: int, p: NDArray[np.float64]) -> Blocks:
    squares = " + ".join(f"({value:.3g} − {int(j == truth)})²" for j, value in enumerate(p[:4]))
    loss = float(((p - np.eye(len(p))[truth]) ** 2).sum())
    more = " + …" if len(p) > 4 else ""
    bits = num(0.0 - float(np.log2(p[truth]))) if p[truth] > 0 else "∞"
    return [
        Formula(f"{name}, quadratic loss: {squares}{more} = {loss:.4g}"),
        Formula(f"{name}, informational loss: log₂ (1 / {p[truth]:.4g}) = {bits} bits"),
    ]
