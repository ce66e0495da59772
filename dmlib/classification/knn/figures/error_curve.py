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
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

TICKS = [digit * 10**decade for decade in range(6) for digit in (1, 2, 5)]
LABEL_GAP = 0.07  # between two names, as a share of the height


def error_by_k(run: Run[Problem, KNeighborsClassifier | PEBLS]) -> go.Figure:
    """Draw the errors of a run as functions of k."""
    return plot_error_curve(errors(run))


def plot_error_curve(data: ErrorCurveData) -> go.Figure:
    """Draw the errors as functions of k, with the k in use and the best one."""
    curve = data.curve
    figure = go.Figure()
    lines = [
        ("training", curve.train, MUTED, "solid"),
        ("leave-one-out", curve.leave_one_out, ACCENT, "dash"),
    ]
    if curve.test is not None:
        lines.append(("test", curve.test, ACCENT, "solid"))
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
    return finish(figure, title, note, 340)


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
