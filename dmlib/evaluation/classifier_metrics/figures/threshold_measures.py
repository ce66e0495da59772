"""Measures of a classifier at each threshold of its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.evaluation import ClassifierReport, ThresholdCounts, threshold_counts
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

LINES = {
    "accuracy": "solid",
    "precision": "dash",
    "recall": "dot",
    "F1": "dashdot",
    "kappa": "longdash",
}
"""The measures, and the dashes of their lines, which do not differ by colour only."""


@dataclass(frozen=True)
class ThresholdMeasures:
    """Measures at each threshold."""

    thresholds: Floats  # (n_thresholds,): falling; at the first no row is predicted positive
    measures: dict[str, Floats]  # (n_thresholds,): by name, as in ``LINES``; NaN where undefined
    cost: Floats  # (n_thresholds,): the mean cost of a row
    current: float  # the threshold of the report
    positive: str  # the positive class
    n_classes: int  # of more than two, the threshold does not decide

    @property
    def cheapest(self) -> float:
        """The threshold of minimum cost; of several, the highest."""
        return float(self.thresholds[int(np.argmin(self.cost))])


def threshold_measures_data(
    report: ClassifierReport, y: Any, classes: tuple[str, ...]
) -> ThresholdMeasures:
    """Measure a fitted report at each threshold, the positive class against the rest.

    ``y`` are the classes that the report was fitted to, ``classes`` their names.

    Examples
    --------
    >>> X, y = [[0.9], [0.8], [0.4], [0.1]], [1, 0, 1, 0]
    >>> data = threshold_measures_data(ClassifierReport("column").fit(X, y), y, ("no", "yes"))
    >>> data.thresholds.round(2).tolist(), data.measures["recall"].tolist()
    ([1.0, 0.9, 0.8, 0.4, 0.1], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    is_scored = report.predictions_ >= 0
    code = (report.positive or len(report.classes_)) - 1
    truth = np.asarray(y)[is_scored] == report.classes_[code]
    counts = threshold_counts(truth, report.scores_[is_scored])
    thresholds = counts.thresholds.copy()
    # The first is infinite: it is drawn as far above the highest score as the next score below.
    gap = thresholds[1] - thresholds[2] if len(thresholds) > 2 else 1.0
    thresholds[0] = thresholds[1] + gap
    measures = {
        "accuracy": counts.accuracy,
        "precision": counts.precision,
        "recall": counts.recall,
        "F1": counts.f1,
        "kappa": counts.kappa,
    }
    cost = _cost(report, code, counts)
    return ThresholdMeasures(
        thresholds=thresholds,
        measures=measures,
        cost=cost,
        current=float(report.threshold),
        positive=classes[code],
        n_classes=len(classes),
    )


def _cost(report: ClassifierReport, code: int, counts: ThresholdCounts) -> Floats:
    """Return the mean cost of a row at each threshold, of two classes by their four costs."""
    if len(report.classes_) > 2:
        total = report.cost_fp * counts.fp + report.cost_fn * counts.fn
    else:
        c = report.cost_matrix_
        total = c[code, code] * counts.tp + c[code, 1 - code] * counts.fn
        total += c[1 - code, code] * counts.fp + c[1 - code, 1 - code] * counts.tn
    return np.asarray(total / counts.n)


def threshold_measures(run: Run[Problem, ClassifierReport]) -> go.Figure:
    """Draw the measures at each threshold."""
    learned = run.problem.training
    return plot_threshold_measures(threshold_measures_data(run.fitted, learned.y, learned.classes))


def plot_threshold_measures(data: ThresholdMeasures) -> go.Figure:
    """Draw measures and cost over the threshold; lines mark the current and the cheapest one."""
    figure = go.Figure()
    for name, dash in LINES.items():
        figure.add_scatter(
            x=data.thresholds.round(6),
            y=data.measures[name].round(4),
            name=name,
            mode="lines",
            line={"dash": dash, "shape": "vh"},
            hovertemplate=f"threshold %{{x}}<br>{name} %{{y:.3f}}<extra></extra>",
        )
    figure.add_scatter(
        x=data.thresholds.round(6),
        y=data.cost.round(4),
        name="cost per row (right axis)",
        mode="lines",
        yaxis="y2",
        line={"color": MUTED, "width": 3, "shape": "vh"},
        hovertemplate="threshold %{x}<br>cost %{y:.3f}<extra></extra>",
    )
    if data.n_classes == 2:
        figure.add_vline(x=data.current, line={"width": 1.5, "color": ACCENT})
    figure.add_vline(x=data.cheapest, line={"width": 1.5, "color": MUTED, "dash": "dot"})
    figure.update_xaxes(
        title_text=f"threshold: predicted {plain(data.positive)} from this score on"
    )
    figure.update_yaxes(title_text="measure", rangemode="tozero")
    cost_axis = {
        "overlaying": "y",
        "side": "right",
        "title": {"text": "cost per row"},
        "rangemode": "tozero",
        "tickmode": "auto",
        "showgrid": False,
    }
    finish(figure, _title(data), _note(data), 420, yaxis2=cost_axis)
    return figure.update_layout(
        showlegend=True,
        margin_r=56,
        legend={"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"},
        margin_b=110,
    )


def _title(data: ThresholdMeasures) -> str:
    kappa = data.measures["kappa"]
    best = int(np.nanargmax(kappa))
    cheapest, at = (
        threshold_text(threshold, data.thresholds, 3, inclusive=False)
        for threshold in (data.cheapest, float(data.thresholds[best]))
    )
    return (
        f"{plain(data.positive)}: least cost per row, {data.cost.min():.3g}, from threshold"
        f" {cheapest} on; kappa is largest, {kappa[best]:.3f}, at {at}."
    )


def _note(data: ThresholdMeasures) -> str:
    if data.n_classes > 2:
        return (
            "This class against all others. On the stage the class with the highest score is"
            " predicted."
        )
    return "Solid vertical line: the current threshold. Dotted: the cheapest."
