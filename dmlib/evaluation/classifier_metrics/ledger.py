"""The arithmetic of a report: rows that are counted, a measure with its numbers, and the scores of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation import MeasureStep, ScoreStep
from dmlib.evaluation.classifier_metrics.cells_scene import Cells
from dmlib.evaluation.classifier_metrics.classifier_report import MEASURES
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
from dmlib.evaluation.measures_ledger import Row, score_frame, shown
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

WITH_CHANCE = ("accuracy", "balanced_accuracy", "kappa", "expected_cost")
"""The measures beside which it is told what knowing nothing would reach."""


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

    def __init__(self, run: Run, report: Report, cells: Cells) -> None:
        self.problem, self.model, self.report, self.cells = run.problem, run.model, report, cells
        self.selected_row = _selected_row(run.problem, report, run.model.threshold, run.selected)
        self.fitted = run.fitted if run.problem.test is not None and run.trace.complete else None

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ScoreStep | Counted | MeasureStep = now.step
        if isinstance(step, ScoreStep):
            text, ledger = score_frame(self.problem, step, self.model.model, self.model.column)
        elif isinstance(step, Counted):
            text, ledger = self._count(step)
        else:
            text, ledger = self._measure(step)
        return text, [*self.selected_row, *ledger]

    def _count(self, step: Counted) -> tuple[str, Blocks]:
        names, matrix = self.problem.classes, step.matrix
        truth, called = self.report.truth[step.rows], self.report.called[step.rows]
        right, n = int(np.trace(matrix)), int(matrix.sum())
        if len(step.rows) == 1:
            row, i, j = self.problem.rows[step.rows[0]] + 1, int(truth[0]), int(called[0])
            where = (
                f"{self.cells.role(i, j)} = {matrix[i, j]}"
                if len(names) == 2
                else f"{matrix[i, j]} there"
            )
            text = f"Row {row} is {names[i]} and is predicted {names[j]}: {where}."
        else:
            good = int((truth == called).sum())
            text = (
                f"{len(step.rows)} rows enter: {good} on the diagonal, {len(step.rows) - good}"
                " beside it."
            )
        table = matrix_table(matrix, names, "Counted so far", sorted({int(i) for i in truth}))
        return text, [table, Formula(f"correct so far: {right} / {n} = {right / n:.4g}")]

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
    mistakes = count(int(matrix.sum() - np.trace(matrix)), "row is", "rows are")
    return (
        f"All measures are computed: {mistakes} misclassified, accuracy is {values['accuracy']:.4g}"
        f" and kappa {kappa}."
    )


def _value(step: MeasureStep) -> str | float:
    has_no_probabilities = "loss" in step.name and np.isnan(step.value)
    return "no probabilities" if has_no_probabilities else shown(step.value)


def _summary(problem: Problem, report: Report, fitted: Any) -> Blocks:
    steps = [step for step in report.measured if step.name in MEASURES]
    rows: list[Row] = [(TITLES[step.name], _value(step)) for step in steps]
    bar = {name: number for number, name in enumerate(BARS, 1)}
    numbers = [bar.get(step.name) for step in steps]
    of = (
        f"of {problem.classes[report.positive]}"
        if len(problem.classes) == 2
        else "mean over the classes"
    )
    blocks: Blocks = [
        chance_table(report.measured[-1], problem.classes),
        LedgerTable(
            ("measure", "value"),
            rows,
            f"All measures; rates are {of}",
            by="measure",
            numbers=numbers,
        ),
    ]
    if problem.test is not None and fitted is not None:
        blocks.append(error_table(problem, fitted))
    return blocks


def _mean_loss(report: Report, step: MeasureStep) -> Blocks:
    if report.given is None or "loss" not in step.name:
        return []
    p = report.given[report.order, report.truth[report.order]]
    return [Formula(text) for text in loss_texts(step, p)]


def _selected_row(
    problem: Problem, report: Report, threshold: float, selected: int | None
) -> Blocks:
    """Return the scores and losses of the selected sample."""
    if selected is None:
        return []
    name, truth, called = (
        f"Row {problem.rows[selected] + 1}",
        report.truth[selected],
        report.called[selected],
    )
    classes = problem.classes
    if called < 0:
        return [
            Formula(
                f"{name} is {classes[truth]}; it is a training or test row, so it is not counted."
            )
        ]
    if len(classes) == 2:
        score = report.score[selected]
        compared = (
            f"{threshold_text(score, [threshold], 4)} {'≥' if score >= threshold else '<'}"
            f" {threshold:g}"
        )
        why = f"score {compared}, so {classes[called]} is predicted"
    else:
        why = f"{classes[called]} has the highest score, so it is predicted"
    blocks: Blocks = [Formula(f"{name} is {classes[truth]}: {why}")]
    return (
        blocks
        if report.given is None
        else [*blocks, *_row_losses(name, int(truth), report.given[selected])]
    )


def _row_losses(name: str, truth: int, p: NDArray[np.float64]) -> Blocks:
    squares = " + ".join(f"({value:.3g} − {int(j == truth)})²" for j, value in enumerate(p[:4]))
    loss = float(((p - np.eye(len(p))[truth]) ** 2).sum())
    more = " + …" if len(p) > 4 else ""
    bits = num(0.0 - float(np.log2(p[truth]))) if p[truth] > 0 else "∞"
    return [
        Formula(f"{name}, quadratic loss: {squares}{more} = {loss:.4g}"),
        Formula(f"{name}, informational loss: log₂ (1 / {p[truth]:.4g}) = {bits} bits"),
    ]
