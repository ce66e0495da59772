"""The error of k nearest neighbours against k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.classification import ErrorCurve, KNeighborsClassifier, error_curve
from dmlib.plots.style import ACCENT, MUTED, finish
from dmlib.problem import Problem

MOST_NEIGHBORS = 100  # largest k that is tried, unless a larger one is in use
EVERY = 20  # up to this k each one is tried
VALUES = 40  # about so many values of k
TICKS = [digit * 10**decade for decade in range(6) for digit in (1, 2, 5)]
APART = 0.07  # share of the height between two names


@dataclass(frozen=True)
class ErrorCurveData:
    """The error for several k, the k in use, and the best one.

    Attributes
    ----------
    curve : ErrorCurve
        The errors.
    current : int
        The k in use.
    best : int or None
        The k with the smallest error without the row itself; of equal ones the largest, whose border is the smoothest.
    """

    curve: ErrorCurve
    current: int
    best: int | None


def values_of_k(n_rows: int, current: int) -> NDArray[np.intp]:
    """Return the k to try: each small one, then fewer and fewer.

    Examples
    --------
    >>> values_of_k(100, 5).tolist()[-4:]
    [70, 79, 89, 100]
    """
    top = min(n_rows, max(MOST_NEIGHBORS, current))
    spread = np.geomspace(1, top, VALUES).round()
    ks = np.unique(np.concatenate([np.arange(1, min(EVERY, top) + 1), spread, [min(current, n_rows)]]))
    return ks.astype(np.intp)


def error_curve_data(problem: Problem, model: KNeighborsClassifier) -> ErrorCurveData:
    """Measure the error for several k.

    Parameters
    ----------
    problem : Problem
        Labelled.
    model : KNeighborsClassifier
        Metric and weights are used.

    Returns
    -------
    ErrorCurveData
        With the test error, where samples are held out.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 8.0, 7.0], "c": list("xxxyyy")})
    >>> data = error_curve_data(prepare(frame, ["a"], target="c", labelled=True), KNeighborsClassifier(3))
    >>> data.curve.leave_one_out.tolist()[:4], data.best
    ([0.0, 0.0, 0.0, 0.5], 3)
    """
    learned, held = problem.training, problem.testing
    X_test, y_test = (None, None) if held is None else (held.data, held.y)
    ks = values_of_k(len(learned.X), model.n_neighbors).tolist()
    curve = error_curve(model, learned.data, np.asarray(learned.y), X_test, y_test, n_neighbors=ks)
    known = np.isfinite(curve.leave_one_out)
    best = None
    if known.any():
        least = np.nanmin(curve.leave_one_out)
        best = int(curve.n_neighbors[np.flatnonzero(known & (curve.leave_one_out <= least + 1e-12))[-1]])
    return ErrorCurveData(curve, model.n_neighbors, best)


def plot_error_curve(data: ErrorCurveData) -> go.Figure:
    """Draw the errors over k, with the k in use and the best one."""
    curve = data.curve
    figure = go.Figure()
    lines = [("training", curve.train, MUTED, "solid"), ("leave-one-out", curve.leave_one_out, ACCENT, "dash")]
    if curve.test is not None:
        lines.append(("test", curve.test, ACCENT, "solid"))
    for name, errors, color, dash in lines:
        figure.add_scatter(
            x=curve.n_neighbors,
            y=errors,
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
    note = f"Dotted: k = {data.current}, as now. Small k bends to single rows; large k smooths real borders away."
    return finish(figure, title, note, 340)


def _name_ends(figure: go.Figure, ks: NDArray[np.intp], curves: Sequence[tuple[str, NDArray[np.float64]]]) -> None:
    """Write the names of the curves at their right ends, one above the other where they meet."""
    top = max((float(np.nanmax(errors)) for _, errors in curves if np.isfinite(errors).any()), default=0.0)
    ends = [
        (errors[last[-1]], ks[last[-1]], name)
        for name, errors in curves
        if (last := np.flatnonzero(np.isfinite(errors))).size
    ]
    free = -np.inf
    for error, k, name in sorted(ends):
        free = max(error, free)
        figure.add_annotation(x=np.log10(k), y=free, text=name, xanchor="left", xshift=6, showarrow=False)
        free += APART * (top or 1.0)
