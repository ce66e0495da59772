"""A confusion matrix that fills row by row, and the measures that are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation import ConfusionStep, MeasureStep, ScoreStep
from dmlib.evaluation.classifier_report import MEASURES
from dmlib.evaluation.losses import quadratic_losses
from dmlib.evaluation.scores import squash
from dmlib.problem import JITTER, Problem
from dmlib.scene import (
    NO_CLASS,
    Axis,
    Formula,
    Frame,
    Handle,
    LedgerTable,
    Line,
    Mark,
    Panel,
    PerFrame,
    Points,
    Rects,
    Scene,
    bounds,
)
from dmlib.scenes.centers import Blocks, count, num
from dmlib.scenes.confusion_cells import Cells
from dmlib.scenes.data import data_scene
from dmlib.scenes.measure_texts import TITLES, arithmetic, caption, matrix_table
from dmlib.scenes.measures import Row, score_frame, shown
from dmlib.scenes.regions import class_legend, error_table
from dmlib.trace import Trace

Floats = NDArray[np.float64]

MOST_DOTS = 10_000  # dots times frames while rows come in
MOST_COUNTED, FEWEST_COUNTED = 40, 6  # frames of that
BARS = ("accuracy", "precision", "recall", "specificity", "f1", "balanced_accuracy", "mcc", "kappa")
SHORT_BARS = ("accuracy", "precision", "recall", "specificity", "F1", "balanced", "MCC", "kappa")
HIGHEST_LOSS = 4.0  # bits that the picture of the losses shows


@dataclass(frozen=True, eq=False)
class Told:
    """A report, ready to be drawn.

    Attributes
    ----------
    scored : list of ScoreStep
        The folds.
    counted : list of (ndarray, ndarray)
        For each frame that counts: the samples that enter, and the matrix with them.
    measured : list of MeasureStep
        The measures, and the end.
    order : ndarray of shape (n_scored,)
        The samples in the order in which they are counted.
    called : ndarray of shape (n_samples,)
        The class that each sample is called; -1 for those that are not.
    scores : ndarray of shape (n_samples, n_classes)
        The support of each class; NaN for samples without.
    """

    scored: list[ScoreStep]
    counted: list[tuple[NDArray[np.intp], NDArray[Any]]]
    measured: list[MeasureStep]
    order: NDArray[np.intp]
    called: NDArray[np.intp]
    scores: Floats

    @property
    def kind(self) -> str:
        """What the scores are."""
        return self.scored[0].kind

    @property
    def positive(self) -> int:
        """The index of the positive class."""
        return self.measured[0].positive

    @property
    def score(self) -> Floats:
        """The number of each sample that is compared with the threshold (two classes)."""
        if self.kind == "column":
            return self.scores[:, 1]
        score = self.scores[:, self.positive]
        return squash(score) if self.kind == "decision" else score


def classifier_metrics_scene(
    problem: Problem,
    trace: Trace,
    *,
    model: str = "",
    threshold: float = 0.5,
    fitted: Any = None,
    selected: int | None = None,
) -> Scene:
    """Draw a confusion matrix that fills, and the measures of it.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    trace : Trace
        Steps of :class:`dmlib.evaluation.ClassifierReport`.
    model : str
        What is measured, as a parameter names it.
    threshold : float
        The threshold of two classes; it can be dragged.
    fitted : ClassifierReport, optional
        Classifies the rows that are held out.
    selected : int, optional
        The sample whose scores are written out.

    Returns
    -------
    Scene
        A frame for each fold, for some rows at a time, for each measure, and for the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.evaluation import ClassifierReport
    >>> from dmlib.problem import prepare
    >>> from dmlib.trace import run
    >>> frame = pd.DataFrame({"score": [0.9, 0.8, 0.4, 0.1], "ill": ["yes", "no", "yes", "no"]})
    >>> problem = prepare(frame, ["score"], target="ill", labelled=True)
    >>> scene = classifier_metrics_scene(problem, run(ClassifierReport("column"), problem.X, problem.y))
    >>> scene.frames[4].caption
    'Row 4 is no and is called no: TN = 1.'
    """
    told = _told(problem, trace)
    if told is None:
        return data_scene(problem, trace.reason or "There is nothing to show.")
    cells = Cells.of(problem.classes, told.positive)
    asked = _asked(problem, told, threshold, selected)
    frames = []
    for fold in told.scored:
        text, ledger = score_frame(problem, fold, model)
        frames.append(Frame(text, [*asked, *ledger], fold.phase))
    frames += [_count(problem, told, cells, i, asked) for i in range(len(told.counted))]
    frames += [_measure(problem, told, step, fitted, asked) for step in told.measured]
    binary = len(problem.classes) == 2
    parts = [_bars(told)]
    if binary:
        parts.insert(0, _lanes(problem, told, threshold))
    if told.kind == "probability":
        parts.append(_losses(problem, told))
    return Scene(
        (cells.panel(), *(panel for panel, _ in parts)),
        [*_matrix(problem, told, cells), *(mark for _, marks in parts for mark in marks)],
        frames,
        (*problem.notes, *_notes(told)),
        (Handle("threshold", "scores", "threshold", "x", threshold),) if binary else (),
        class_legend(problem),
    )


def _told(problem: Problem, trace: Trace) -> Told | None:
    scored = [step for step in trace.steps if isinstance(step, ScoreStep)]
    rows = [step for step in trace.steps if isinstance(step, ConfusionStep)]
    measured = [step for step in trace.steps if isinstance(step, MeasureStep)]
    if not measured or problem.y is None:
        return None
    learned = np.arange(len(problem.X)) if problem.test is None else np.flatnonzero(~problem.test)
    scores = np.full((len(problem.X), scored[0].scores.shape[1]), np.nan)
    for fold in scored:
        scores[learned[fold.rows]] = fold.scores
    order = learned[np.concatenate([step.rows for step in rows])]
    called = np.full(len(problem.X), -1, np.intp)
    called[order] = np.concatenate([step.called for step in rows])
    n_frames = int(np.clip(MOST_DOTS // len(order), FEWEST_COUNTED, min(MOST_COUNTED, len(order))))
    ends = np.unique(np.linspace(0, len(rows), n_frames + 1).round().astype(int))[1:]
    counted = [(order[start:end], rows[end - 1].matrix) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    return Told(scored, counted, measured, order, called, scores)


def _notes(told: Told) -> tuple[str, ...]:
    if told.kind == "decision":
        return ("The threshold is compared with 1 / (1 + exp(−decision)), which is no probability.",)
    return ()


# --- marks ------------------------------------------------------------------------------------------------------------


def _matrix(problem: Problem, told: Told, cells: Cells) -> list[Mark]:
    truth = np.zeros(len(problem.X), np.intp) if problem.y is None else problem.y
    seen = [np.zeros(len(problem.X))] * len(told.scored)
    for entered, _ in told.counted:
        now = seen[-1].copy()
        now[entered] = 1.0
        seen.append(now)
    seen += [seen[-1]] * len(told.measured)
    before = len(told.scored)
    measures = [""] * (before + len(told.counted)) + [step.name for step in told.measured]
    matrices = [None] * before + [matrix for _, matrix in told.counted] + [step.matrix for step in told.measured]
    dots = cells.dots(problem, truth, told.called, told.order, PerFrame(seen))
    return [cells.marks(measures), dots, *cells.numbers(matrices)]


def _lanes(problem: Problem, told: Told, threshold: float) -> tuple[Panel, list[Mark]]:
    """Return the scores by class, with the side of the threshold on which rows are called positive."""
    known = told.order
    score = told.score[known]
    low, high = bounds([*score, threshold] if abs(threshold) < 1e6 else score)
    if told.kind != "column":
        low, high = min(low, -0.03), max(high, 1.03)
    names = {"probability": f"P({problem.classes[told.positive]})", "decision": "1 / (1 + exp(−decision))"}
    label = names.get(told.kind, problem.features[0])
    lane = np.zeros(len(known)) if problem.y is None else problem.y[known].astype(float)
    spread = JITTER * 1.3 * (np.arange(1, len(lane) + 1) * 0.61803398875 % 1 - 0.5)
    panel = Panel("scores", Axis(label, low, high), Axis("", -0.5, 1.5, ticks=problem.classes), "Scores", side=True)
    color = None if problem.y is None else problem.y[known]
    border = float(np.clip(threshold, low, high))
    return panel, [
        Rects(panel="scores", x0=[border], x1=[high], y0=[-0.5], y1=[1.5], opacity=[0.12]),
        Points(panel="scores", x=score, y=lane + spread, color=color, size=[3.0], classes=problem.classes),
    ]


def _bars(told: Told) -> tuple[Panel, list[Mark]]:
    """Return the measures between 0 and 1 as bars that appear when they are computed."""
    values = {step.name: step.value for step in told.measured if step.name}
    n, levels = len(BARS), np.arange(len(BARS))[::-1].astype(float)
    low = min(0.0, *(values[name] for name in BARS if not np.isnan(values[name])))
    panel = Panel(
        "measures", Axis("", low, 1.0), Axis("measure", -0.6, n - 0.4, ticks=SHORT_BARS[::-1]), "Measures", side=True
    )
    rows, emphasis = [np.empty(0)] * (len(told.scored) + len(told.counted)), []
    done: list[int] = []
    for step in told.measured:
        if step.name in BARS and not np.isnan(step.value):
            done.append(BARS.index(step.name))
        rows.append(np.array(done, int))
        emphasis.append(np.array([0.9 if BARS[i] == step.name or not step.name else 0.45 for i in done]))
    ends = np.array([np.nan_to_num(values[name]) for name in BARS])
    faint = [np.empty(0)] * (len(rows) - len(emphasis)) + emphasis
    indices = [row.astype(int) for row in rows]
    return panel, [
        Rects(
            panel="measures",
            x0=PerFrame([np.minimum(ends[i], 0.0) for i in indices]),
            x1=PerFrame([np.maximum(ends[i], 0.0) for i in indices]),
            y0=PerFrame([levels[i] - 0.36 for i in indices]),
            y1=PerFrame([levels[i] + 0.36 for i in indices]),
            opacity=PerFrame(faint),
        )
    ]


def _losses(problem: Problem, told: Told) -> tuple[Panel, list[Mark]]:
    """Return the two losses of each row over the probability that its true class got."""
    truth = np.zeros(len(problem.X), np.intp) if problem.y is None else problem.y
    known = told.order
    p = told.scores[known, truth[known]]
    bits = np.minimum(-np.log2(np.maximum(p, 2.0**-HIGHEST_LOSS / 2)), HIGHEST_LOSS)
    quadratic = quadratic_losses(truth[known], told.scores[known], labels=np.arange(told.scores.shape[1]))
    curve = np.linspace(2.0**-HIGHEST_LOSS, 1.0, 40)
    panel = Panel(
        "losses", Axis("P(true class)", -0.03, 1.03), Axis("loss", -0.15, HIGHEST_LOSS + 0.25), "Losses", side=True
    )
    small: dict[str, Any] = {"panel": "losses", "size": [2.5], "x": p}
    return panel, [
        Line(panel="losses", x=curve, y=-np.log2(curve), color="muted", width=1.5),
        Points(**small, y=bits, color=truth[known], classes=problem.classes),
        Points(**small, y=quadratic, color=[NO_CLASS], labels=("quadratic loss",), hollow=np.ones(len(p), np.uint8)),
    ]


# --- frames -----------------------------------------------------------------------------------------------------------


def _count(problem: Problem, told: Told, cells: Cells, at: int, asked: Blocks) -> Frame:
    entered, matrix = told.counted[at]
    truth = np.zeros(len(problem.X), np.intp) if problem.y is None else problem.y
    right, n = int(np.trace(matrix)), int(matrix.sum())
    names = problem.classes
    if len(entered) == 1:
        true, called = int(truth[entered[0]]), int(told.called[entered[0]])
        where = (
            f"{cells.role(true, called)} = {matrix[true, called]}"
            if len(names) == 2
            else f"{matrix[true, called]} there"
        )
        text = f"Row {problem.rows[entered[0]] + 1} is {names[true]} and is called {names[called]}: {where}."
    else:
        good = int((truth[entered] == told.called[entered]).sum())
        text = f"{count(len(entered), 'row enters', 'rows enter')}: {good} on the diagonal, {len(entered) - good} beside it."
    table = matrix_table(matrix, names, "Counted so far", sorted({int(i) for i in truth[entered]}))
    return Frame(text, [*asked, table, Formula(f"right so far: {right} / {n} = {right / n:.4g}")], "count")


def _measure(problem: Problem, told: Told, step: MeasureStep, fitted: Any, asked: Blocks) -> Frame:
    names = problem.classes
    matrix = matrix_table(step.matrix, names, "Confusion matrix", [step.positive])
    if step.phase == "done":
        return Frame(_end(told), [*asked, *_summary(problem, told, fitted), matrix], "done")
    return Frame(
        caption(step, names), [*asked, *arithmetic(step, names), *_rows(problem, told, step), matrix], "measure"
    )


def _end(told: Told) -> str:
    values = {step.name: step.value for step in told.measured}
    wrong = int(told.measured[-1].matrix.sum() - np.trace(told.measured[-1].matrix))
    kappa = "undefined" if np.isnan(values["kappa"]) else f"{values['kappa']:.4g}"
    mistakes = count(wrong, "row is", "rows are")
    return (
        f"All measures are computed: {mistakes} called wrongly, accuracy is {values['accuracy']:.4g} and kappa {kappa}."
    )


def _summary(problem: Problem, told: Told, fitted: Any) -> Blocks:
    rows: list[Row] = [(TITLES[step.name], shown(step.value)) for step in told.measured if step.name in MEASURES]
    of = f"of {problem.classes[told.positive]}" if len(problem.classes) == 2 else "mean over the classes"
    blocks: Blocks = [LedgerTable(("measure", "value"), rows, f"All measures; rates are {of}")]
    if problem.test is not None and fitted is not None:
        blocks.append(error_table(problem, fitted))
    return blocks


def _rows(problem: Problem, told: Told, step: MeasureStep) -> Blocks:
    """Return the first terms of a mean loss."""
    if "loss" not in step.name or np.isnan(step.value) or problem.y is None:
        return []
    some = told.order[:4]
    p = told.scores[some, problem.y[some]]
    if told.kind == "column":
        column = told.scores[some, 1]
        p = np.where(problem.y[some] == told.positive, column, 1 - column)
    if step.name == "informational_loss":
        terms = [f"log₂(1/{value:.3g})" for value in p]
        return [Formula(f"mean of log₂ (1 / P(true class)) = ({' + '.join(terms)} + …) / {len(told.order)}")]
    return [Formula("mean over the rows of Σ (P(class) − [true class])²")]


def _asked(problem: Problem, told: Told, threshold: float, selected: int | None) -> Blocks:
    """Return the scores and losses of the selected sample."""
    if selected is None or problem.y is None:
        return []
    name, truth = f"Row {problem.rows[selected] + 1}", int(problem.y[selected])
    if told.called[selected] < 0:
        return [Formula(f"{name} is {problem.classes[truth]}; it was learned from or held out, so it is not counted.")]
    called, classes = int(told.called[selected]), problem.classes
    if len(classes) == 2:
        sign = "≥" if told.score[selected] >= threshold else "<"
        why = f"{told.score[selected]:.4g} {sign} {threshold:g}"
        blocks: Blocks = [Formula(f"{name} is {classes[truth]}: score {why}, so it is called {classes[called]}")]
    else:
        blocks = [Formula(f"{name} is {classes[truth]} and called {classes[called]}, the class with the highest score")]
    if told.kind != "probability":
        return blocks
    p = told.scores[selected]
    bits = num(float(-np.log2(p[truth]))) if p[truth] > 0 else "∞"
    squares = " + ".join(f"({value:.3g} − {int(j == truth)})²" for j, value in enumerate(p[:4]))
    loss = float(quadratic_losses([truth], p[None], labels=np.arange(len(p)))[0])
    more = " + …" if len(p) > 4 else ""
    return [
        *blocks,
        Formula(f"{name}, quadratic loss: {squares}{more} = {loss:.4g}"),
        Formula(f"{name}, informational loss: log₂ (1 / {p[truth]:.4g}) = {bits} bits"),
    ]
