"""The panels beside a confusion matrix: scores, measures, baselines, losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.evaluation import MeasureStep
from dmlib.evaluation.classifier_metrics.baselines import random_guessing, zero_r
from dmlib.evaluation.classifier_metrics.report_scene import Counted, Report
from dmlib.evaluation.classifier_metrics.texts_ledger import matrix_of
from dmlib.evaluation.losses import quadratic_losses
from dmlib.pictures.marks import Line, Mark, Points, Rects, Texts
from dmlib.pictures.scene import Axis, Handle, Panel, bounds
from dmlib.pictures.story import Fold, Moment, Plot
from dmlib.problem import JITTER, Problem

BARS = {
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "f1": "F1",
    "balanced_accuracy": "balanced",
    "mcc": "MCC",
    "kappa": "kappa",
}
"""The measures with a bar, in the order in which they are computed."""
HALF = 0.42  # half the width of a bar
QUIET, LOUD = 0.22, 0.5  # opacity of a bar, and of the current one
MAX_LOSSES = 400  # rows of the losses
GOLDEN = 0.61803398875  # rows of one class are spread by its multiples
MAX_BITS = 4.0  # of the losses


def lanes(problem: Problem, report: Report, threshold: float, column: int) -> Plot:
    """Return the scores by class, with the side that is predicted positive."""
    score = report.score[report.order]
    truth = report.truth[report.order]
    across = _score_axis(problem, report, score, threshold, column)
    # with room above the lanes for the name of the handle
    up = Axis("class", -0.5, 2.1, ticks=problem.classes)
    border = float(np.clip(threshold, across.low, across.high))
    spread = JITTER * 1.3 * (np.arange(1, len(truth) + 1) * GOLDEN % 1 - 0.5)
    side = Rects(panel="scores", x0=[border], x1=[across.high], y0=[-0.5], y1=[2.1], opacity=[0.12])
    rows = Points(
        panel="scores",
        x=score,
        y=truth.astype(float) + spread,
        color=truth,
        size=[3.0],
        classes=problem.classes,
    )
    handle = Handle("threshold", "scores", "threshold", "x", threshold)
    panel = Panel("scores", across, up, "Scores", side=True)
    return Plot(panel, lambda moment: [side, rows], [handle])


def _score_axis(
    problem: Problem, report: Report, score: Floats, threshold: float, column: int
) -> Axis:
    """Return the axis of the scores, with the threshold in view unless it is far away."""
    low, high = bounds([*score, threshold] if abs(threshold) < 1e6 else score)
    if report.kind != "column":
        low, high = min(low, -0.03), max(high, 1.03)
    names = {
        "probability": f"P({problem.classes[report.positive]})",
        "decision": "1 / (1 + exp(−decision))",
    }
    return Axis(names.get(report.kind, problem.features[column - 1]), low, high)


@dataclass(frozen=True)
class Progress:
    """The progress of a report.

    Attributes
    ----------
    is_counted : ndarray of bool, shape (n_samples,)
        The rows that are in the matrix.
    n_bars : int
        The number of measures with a bar.
    """

    is_counted: NDArray[np.bool_]
    n_bars: int = 0


def progress(n_samples: int) -> Fold:
    """Return the progress of a report, as it accumulates."""

    def add(so_far: Progress, step: Any) -> Progress:
        if isinstance(step, Counted):
            is_counted = so_far.is_counted.copy()
            is_counted[step.rows] = True
            return replace(so_far, is_counted=is_counted)
        return replace(so_far, n_bars=so_far.n_bars + (_name(step) in BARS))

    return Fold(Progress(np.zeros(n_samples, bool)), add)


def _name(step: Any) -> str:
    """Return the name of the measure of a step; empty for other steps."""
    return step.name if isinstance(step, MeasureStep) else ""


def bars(report: Report) -> Plot:
    """Return the measures between -1 and 1 as bars that appear when they are computed."""
    value_of = {step.name: step.value for step in report.measured}
    values = [value_of[name] for name in BARS]
    texts = [f"{title} {_short(v)}" for title, v in zip(BARS.values(), values, strict=True)]
    levels = Levels("measures", "Measures", "measure", texts, np.nan_to_num(values))

    def marks(moment: Moment) -> list[Mark]:
        n = moment.so_far.n_bars
        return levels.marks(n, n - 1 if _name(moment.step) in BARS else None)

    return Plot(levels.panel, marks)


def chance(report: Report) -> Plot:
    """Return the accuracy beside those of ZeroR and random guessing, once it is computed."""
    result = matrix_of(report.measured[0])
    accuracies = {"this model": result, "ZeroR": zero_r(result), "random": random_guessing(result)}
    lengths = np.array([float(each.accuracy) for each in accuracies.values()])
    texts = [f"{name} {_short(length)}" for name, length in zip(accuracies, lengths, strict=True)]
    levels = Levels("chance", "Accuracy", "model", texts, lengths)

    def marks(moment: Moment) -> list[Mark]:
        n = len(texts) if isinstance(moment.step, MeasureStep) else 0
        return levels.marks(n, 0 if _name(moment.step) in ("accuracy", "kappa") else None)

    return Plot(levels.panel, marks)


def _short(value: float) -> str:
    return "0 / 0" if np.isnan(value) else f"{value:.3f}".replace("-", "−")


class Levels:
    """Horizontal bars with texts on them, from the top.

    Parameters
    ----------
    name, title : str
        The name and title of the panel.
    of : str
        The kind of the bars, by which tables answer to them.
    texts : sequence of str
        The texts on the bars.
    lengths : ndarray of shape (n_bars,)
        The lengths of the bars.
    """

    def __init__(
        self, name: str, title: str, of: str, texts: Sequence[str], lengths: Floats
    ) -> None:
        self.name = name
        self.of = of
        self.texts = texts
        self.lengths = lengths
        self.low = min(0.0, float(lengths.min()))
        across = Axis("", self.low, 1.0)
        self.panel = Panel(name, across, Axis("", -0.6, len(texts) - 0.4), title, side=True)

    def marks(self, n: int, current: int | None) -> list[Mark]:
        """Return the first ``n`` bars; the current one is stronger."""
        lengths = self.lengths[:n]
        y = np.arange(len(self.texts), dtype=float)[::-1][:n]
        opacity = np.full(n, QUIET)
        if current is not None:
            opacity[current] = LOUD
        return [
            Rects(
                panel=self.name,
                x0=np.minimum(lengths, 0.0),
                x1=np.maximum(lengths, 0.0),
                y0=y - HALF,
                y1=y + HALF,
                opacity=opacity,
                numbers=np.arange(n) + 1,
                of=self.of,
            ),
            Texts(
                panel=self.name,
                x=np.full(n, self.low + 0.02 * (1 - self.low)),
                y=y,
                text=self.texts,
                anchor="start",
            ),
        ]


def losses(problem: Problem, report: Report, proba: Floats) -> Plot:
    """Return the losses of rows over the probability of their class; quadratic ones hollow."""
    rows = report.order[:: -(-len(report.order) // MAX_LOSSES)]
    truth = report.truth[rows]
    p = proba[rows, truth]
    bits = np.minimum(-np.log2(np.maximum(p, 2.0**-MAX_BITS / 2)), MAX_BITS)
    quadratic = quadratic_losses(truth, proba[rows], labels=np.arange(proba.shape[1]))
    curve = np.linspace(2.0**-MAX_BITS, 1.0, 40)
    of_rows = "" if len(rows) == len(report.order) else f" of {len(rows)} rows"
    title = f"Losses{of_rows}; hollow: quadratic"
    axes = Axis("P(true class)", -0.03, 1.03), Axis("loss", -0.15, MAX_BITS + 0.25)
    dots = Points(panel="losses", x=p, y=bits, size=[3.0], color=truth, classes=problem.classes)
    marks: list[Mark] = [
        Line(panel="losses", x=curve, y=-np.log2(curve), color="muted", width=1.5),
        dots,
        replace(dots, y=quadratic, hollow=np.ones(len(p), np.uint8)),
    ]
    return Plot(Panel("losses", *axes, title, side=True), lambda moment: marks)
