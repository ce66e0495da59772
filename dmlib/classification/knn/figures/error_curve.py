"""The error of k nearest neighbours against k."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.classification.knn.algorithm import KNeighborsClassifier
from dmlib.classification.knn.error_curve import ErrorCurveData
from dmlib.classification.knn.pebls import PEBLS
from dmlib.classification.knn.scene import errors
from dmlib.classification.knn.split_errors import HELD_OUT, SplitErrors, split_errors
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

TICKS = [digit * 10**decade for decade in range(6) for digit in (1, 2, 5)]
MAX_SPLIT_ROWS = 3000  # up to which the rows are divided again and again
SPLITS, BAND = "#c2571a", "rgba(194,87,26,0.2)"  # of random splits: the mean, and its spread
LABEL_GAP = 0.07  # between two names, as a share of the height


def error_by_k(run: Run[Problem, KNeighborsClassifier | PEBLS]) -> go.Figure:
    """Draw the errors of a run as functions of k, also those of random splits of few rows."""
    data, training, model = errors(run), run.problem.training, run.fitted
    if isinstance(model, PEBLS) or not 2 <= len(training.X) <= MAX_SPLIT_ROWS:
        return plot_error_curve(data)
    ks = data.curve.n_neighbors.tolist()
    rows = training.data, np.asarray(training.y)
    return plot_error_curve(data, run.once("splits", lambda: split_errors(model, *rows, ks)))


def plot_error_curve(data: ErrorCurveData, splits: SplitErrors | None = None) -> go.Figure:
    """Draw the errors as functions of k, with the k in use and the best one.

    Those of random splits are a line with a band of one standard deviation on either side.
    """
    curve = data.curve
    figure = go.Figure()
    lines = [
        ("training", curve.train, MUTED, "solid"),
        ("leave-one-out", curve.leave_one_out, ACCENT, "dash"),
    ]
    if curve.test is not None:
        lines.append(("test", curve.test, ACCENT, "solid"))
    if splits is not None:
        _add_band(figure, curve.n_neighbors, splits)
        lines.append(("random splits", splits.mean, SPLITS, "solid"))
    for name, values, color, dash in lines:
        figure.add_scatter(
            x=curve.n_neighbors,
            y=values,
            name=name,
            mode="lines+markers",
            line={"color": color, "dash": dash},
            marker={"size": 6, "color": color},
            hovertemplate=f"k = %{{x}}<br>{name} error %{{y:.1%}}<extra></extra>",
        )
    _name_ends(figure, curve.n_neighbors, [(name, errors) for name, errors, _, _ in lines])
    figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text="neighbours, k", type="log", showgrid=False, tickvals=TICKS)
    top = float(np.log10(max(curve.n_neighbors[-1], 2)))
    figure.update_xaxes(range=[-0.05 * top, 1.22 * top])
    figure.update_yaxes(title_text="error", tickformat=".0%", rangemode="tozero")
    title = "No row can be left out: there is only one."
    if data.best is not None:
        title = f"Without the row itself, the error is smallest at k = {data.best}."
    note = (
        f"Dotted: current k = {data.current}. Small k "
        "overfits; large k smooths class boundaries away."
    )
    if splits is not None:
        note += (
            f" Band: standard deviation over {splits.n_splits} random splits of the training rows,"
            f" {HELD_OUT:.0%} held out."
        )
    return finish(figure, title, note, 340)


def _add_band(figure: go.Figure, ks: NDArray[np.intp], splits: SplitErrors) -> None:
    """Draw the spread of the errors of random splits, which no error is below 0 of."""
    low, high = np.maximum(splits.mean - splits.deviation, 0), splits.mean + splits.deviation
    is_known = np.isfinite(splits.mean)
    figure.add_scatter(
        x=np.concatenate([ks[is_known], ks[is_known][::-1]]),
        y=np.concatenate([low[is_known], high[is_known][::-1]]),
        name="spread",
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=BAND,
        hoverinfo="skip",
    )


def _name_ends(
    figure: go.Figure, ks: NDArray[np.intp], curves: Sequence[tuple[str, NDArray[np.float64]]]
) -> None:
    """Write the names of the curves at their right ends, one above the other where they meet."""
    top = 0.0
    ends = []
    for name, heights in curves:
        places = np.flatnonzero(np.isfinite(heights))
        if places.size:
            top = max(top, float(heights[places].max()))
            ends.append((heights[places[-1]], ks[places[-1]], name))
    y = -np.inf
    for error, k, name in sorted(ends):
        y = max(error, y)
        figure.add_annotation(
            x=np.log10(k), y=y, text=name, xanchor="left", xshift=6, showarrow=False
        )
        y += LABEL_GAP * (top or 1.0)
