"""Captions and ledgers of a report: counted rows, measures, and the scores of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation import MeasureStep, ScoreStep
from dmlib.evaluation.classifier_metrics.cells_scene import Cells
from dmlib.evaluation.classifier_metrics.classifier_report import MEASURES, ClassifierReport
from dmlib.evaluation.classifier_metrics.panels_scene import BARS
from dmlib.evaluation.classifier_metrics.report_scene import Counted, Report
from dmlib.evaluation.classifier_metrics.texts_ledger import (
    TITLES,
    arithmetic,
    caption,
    chance_table,
    loss_texts,
    matrix_table,
)
from dmlib.evaluation.measures_ledger import Row, measure_cell, score_frame
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

WITH_CHANCE = ("accuracy", "balanced_accuracy", "kappa", "expected_cost")
"""The measures that are compared with baselines."""


class Narrator:
    """Captions and ledgers of a report.

    Parameters
    ----------
    run : Run
        The run.
    report : Report
        Its folds, counts and measures.
    cells : Cells
        The confusion matrix.
    """

    def __init__(self, run: Run[Problem, ClassifierReport], report: Report, cells: Cells) -> None:
        self.problem = run.problem
        self.model = run.model
        self.report = report
        self.cells = cells
        self.selected_row = _selected_row(run.problem, report, run.model.threshold, run.selected)
        self.fitted = run.fitted if run.problem.test is not None and run.trace.complete else None

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ScoreStep | Counted | MeasureStep = moment.step
        if isinstance(step, ScoreStep):
            text, ledger = score_frame(self.problem, step, self.model.model, self.model.column)
        elif isinstance(step, Counted):
            text, ledger = self._count(step)
        else:
            text, ledger = self._measure(step)
        return text, [*self.selected_row, *ledger]

    def _count(self, step: Counted) -> tuple[str, Blocks]:
        names = self.problem.classes
        matrix = step.matrix
        truth, predicted = self.report.truth[step.rows], self.report.predicted[step.rows]
        if len(step.rows) == 1:
            i, j = int(truth[0]), int(predicted[0])
            row = f"Row {self.problem.rows[step.rows[0]] + 1}"
            cell = f"{matrix[i, j]} there"
            if len(names) == 2:
                cell = f"{self.cells.role(i, j)} = {matrix[i, j]}"
            text = f"{row} is {names[i]} and is predicted {names[j]}: {cell}."
        else:
            n_new = int((truth == predicted).sum())
            cells = f"{n_new} on the diagonal, {len(step.rows) - n_new} beside it"
            text = f"{len(step.rows)} rows enter: {cells}."
        n = int(matrix.sum())
        n_right = int(np.trace(matrix))
        table = matrix_table(matrix, names, "Counted so far", sorted({int(i) for i in truth}))
        return text, [table, Formula(f"correct so far: {n_right} / {n} = {n_right / n:.4g}")]

    def _measure(self, step: MeasureStep) -> tuple[str, Blocks]:
        names = self.problem.classes
        matrix = matrix_table(step.matrix, names, "Confusion matrix", [step.positive])
        if step.phase == "done":
            return _end(self.report), [*_summary(self.problem, self.report, self.fitted), matrix]
        ledger = [*arithmetic(step, names), *_mean_loss(self.report, step)]
        if step.name in WITH_CHANCE:
            ledger.append(chance_table(step, names))
        return caption(step, names), [*ledger, matrix]


def _end(report: Report) -> str:
    values = {step.name: step.value for step in report.measured}
    matrix = report.measured[-1].matrix
    kappa = "undefined" if np.isnan(values["kappa"]) else f"{values['kappa']:.4g}"
    errors = count(int(matrix.sum() - np.trace(matrix)), "row is", "rows are")
    measures = f"accuracy is {values['accuracy']:.4g} and kappa {kappa}"
    return f"All measures are computed: {errors} misclassified, {measures}."


def _value(step: MeasureStep) -> str | float:
    has_no_probabilities = "loss" in step.name and np.isnan(step.value)
    return "no probabilities" if has_no_probabilities else measure_cell(step.value)


def _summary(problem: Problem, report: Report, fitted: Any) -> Blocks:
    steps = [step for step in report.measured if step.name in MEASURES]
    rows: list[Row] = [(TITLES[step.name], _value(step)) for step in steps]
    bar = {name: number for number, name in enumerate(BARS, 1)}
    numbers = [bar.get(step.name) for step in steps]
    subject = "mean over the classes"
    if len(problem.classes) == 2:
        subject = f"of {problem.classes[report.positive]}"
    title = f"All measures; rates are {subject}"
    ledger: Blocks = [
        chance_table(report.measured[-1], problem.classes),
        LedgerTable(("measure", "value"), rows, title, by="measure", numbers=numbers),
    ]
    if problem.test is not None and fitted is not None:
        ledger.append(error_table(problem, fitted))
    return ledger


def _mean_loss(report: Report, step: MeasureStep) -> Blocks:
    if report.probabilities is None or "loss" not in step.name:
        return []
    p = report.probabilities[report.order, report.truth[report.order]]
    return [Formula(text) for text in loss_texts(step, p)]


def _selected_row(
    problem: Problem, report: Report, threshold: float, selected: int | None
) -> Blocks:
    """Return the scores and losses of the selected sample."""
    if selected is None:
        return []
    classes = problem.classes
    truth, predicted = int(report.truth[selected]), int(report.predicted[selected])
    name = f"Row {problem.rows[selected] + 1}"
    if predicted < 0:
        reason = "it is a training or test row, so it is not counted"
        return [Formula(f"{name} is {classes[truth]}; {reason}.")]
    decision = f"{classes[predicted]} has the highest score, so it is predicted"
    if len(classes) == 2:
        score = report.score[selected]
        relation = f"{'≥' if score >= threshold else '<'} {threshold:g}"
        compared = f"score {threshold_text(score, [threshold], 4)} {relation}"
        decision = f"{compared}, so {classes[predicted]} is predicted"
    ledger: Blocks = [Formula(f"{name} is {classes[truth]}: {decision}")]
    if report.probabilities is None:
        return ledger
    return [*ledger, *_row_losses(name, truth, report.probabilities[selected])]


def _row_losses(name: str, truth: int, p: NDArray[np.float64]) -> Blocks:
    is_true = np.arange(len(p)) == truth
    squares = abridged([f"({v:.3g} − {int(t)})²" for v, t in zip(p, is_true, strict=True)], 4)
    loss = float(((p - is_true) ** 2).sum())
    bits = num(0.0 - float(np.log2(p[truth]))) if p[truth] > 0 else "∞"
    return [
        Formula(f"{name}, quadratic loss: {squares} = {loss:.4g}"),
        Formula(f"{name}, informational loss: log₂ (1 / {p[truth]:.4g}) = {bits} bits"),
    ]
