"""Residuals of a linear regression against fitted numbers, normal quantiles and leverage."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from scipy.special import ndtri

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.linear_regression.algorithm import LinearRegression
from dmlib.regression.linear_regression.figures.absolute import (
    is_other,
    refuse_other,
    residual_sizes,
)
from dmlib.regression.linear_regression.inference import Influence, influence

OUTLYING = 2.0  # standardised residuals from which rows are counted as outlying
MARKER = {"size": 7, "color": ACCENT, "opacity": 0.75}
HEIGHT = 380


def influence_of(run: Run[Problem, LinearRegression]) -> Influence:
    """Return the influence of the training rows of a run."""
    learned = run.problem.training
    rows: Influence = run.once(
        "influence", lambda: influence(run.fitted, learned.data, np.asarray(learned.y))
    )
    return rows


def residuals_against_fitted(run: Run[Problem, LinearRegression]) -> go.Figure:
    """Draw the residuals over the fitted numbers, with their mean in ten groups of equal size."""
    if is_other(run):
        return residual_sizes(run)
    rows = influence_of(run)
    order = np.argsort(rows.fitted, kind="stable")
    groups = [
        group for group in np.array_split(order, min(10, max(len(order) // 4, 1))) if group.size
    ]
    means = [[part[group].mean() for group in groups] for part in (rows.fitted, rows.residuals)]
    figure = _scatter(run, rows.fitted, rows.residuals, "fitted", "residual")
    figure.add_scatter(
        x=means[0], y=means[1], mode="lines", line={"color": MUTED, "width": 2}, hoverinfo="skip"
    )
    figure.add_hline(y=0, line={"dash": "dot", "width": 1, "color": MUTED})
    largest = int(np.abs(rows.residuals).argmax())
    title = f"The largest residual is {rows.residuals[largest]:.4g}, of {_name(run, largest)}."
    note = (
        "Grey: mean residual in groups of equal size. A bend suggests a nonlinear term, a funnel"
        " unequal variance."
    )
    return finish(figure, title, note, HEIGHT)


def quantiles(values: Any) -> tuple[Any, Any]:
    """Return normal quantiles and the sorted values that stand over them, at (i - 3/8) / (n + 1/4).

    Examples
    --------
    >>> [part.round(2).tolist() for part in quantiles(np.array([3.0, 1.0, 2.0]))]
    [[-0.87, 0.0, 0.87], [1.0, 2.0, 3.0]]
    """
    finite = np.sort(values[np.isfinite(values)])
    n = len(finite)
    return ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25)), finite


def normal_quantiles(run: Run[Problem, LinearRegression]) -> go.Figure:
    """Draw the standardised residuals over the quantiles of the normal distribution."""
    refuse_other(run)
    rows = influence_of(run)
    expected, observed = quantiles(rows.standardised)
    finite = np.flatnonzero(np.isfinite(rows.standardised))
    order = finite[np.argsort(rows.standardised[finite], kind="stable")]
    figure = _scatter(run, expected, observed, "normal quantile", "standardised residual", order)
    ends = [float(min(expected.min(initial=0), -1)), float(max(expected.max(initial=0), 1))]
    figure.add_scatter(
        x=ends, y=ends, mode="lines", line={"dash": "dot", "color": MUTED}, hoverinfo="skip"
    )
    n_outlying = int((np.abs(observed) > OUTLYING).sum())
    n_expected = f"{0.0455 * len(observed):.1f}"
    title = (
        f"{n_outlying} of {len(observed)} standardised residuals are beyond ±2; normal errors would"
        f" have about {n_expected}."
    )
    note = "Normal errors lie near the dotted line; heavy tails leave it at both ends."
    return finish(figure, title, note, HEIGHT)


def leverage_plot(run: Run[Problem, LinearRegression]) -> go.Figure:
    """Draw the standardised residuals over the leverage, with lines of equal Cook's distance."""
    refuse_other(run)
    rows, model = influence_of(run), run.fitted
    assert model.inference_ is not None
    n_coefficients = model.inference_.df_model + int(model.fit_intercept)
    figure = _scatter(run, rows.leverage, rows.standardised, "leverage h", "standardised residual")
    top = min(1.08 * float(rows.leverage.max()), 0.999)
    h = np.linspace(max(top / 200, 1e-6), top, 120)
    height = 1.15 * float(np.nanmax(np.abs(rows.standardised), initial=1.0))
    for distance, dash in ((0.5, "dot"), (1.0, "dash")):
        line = np.sqrt(distance * n_coefficients * (1 - h) / h)
        for sign in (1, -1):
            y = np.where(line <= height, sign * line, np.nan)
            figure.add_scatter(
                x=h, y=y, mode="lines", line={"dash": dash, "color": MUTED}, hoverinfo="skip"
            )
    figure.update_yaxes(range=[-height, height])
    if np.isnan(rows.cooks_distance).all():
        title = "Every row has leverage 1: it alone determines its prediction."
    else:
        worst = int(np.nanargmax(rows.cooks_distance))
        title = (
            f"The most influential is {_name(run, worst)}: Cook's distance"
            f" {rows.cooks_distance[worst]:.3g}."
        )
    mean = n_coefficients / len(rows.leverage)
    note = f"Dotted: Cook's distance 0.5; dashed: 1. The mean leverage is p / n = {mean:.3g}."
    return finish(figure, title, note, HEIGHT)


def _scatter(
    run: Run[Problem, LinearRegression], x: Any, y: Any, across: str, up: str, order: Any = None
) -> go.Figure:
    """Draw the training rows; a click selects one."""
    learned = run.problem.training
    order = np.arange(len(learned.rows)) if order is None else order
    names = [plain(learned.labels[i]) for i in order]
    figure = go.Figure()
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker=MARKER,
        customdata=learned.rows[order] + 1,
        text=names,
        hovertemplate=f"%{{text}}<br>{across} %{{x:.4g}}<br>{up} %{{y:.4g}}<extra></extra>",
    )
    figure.update_xaxes(title_text=across)
    figure.update_yaxes(title_text=up)
    return figure


def _name(run: Run[Problem, LinearRegression], sample: int) -> str:
    return f"row {run.problem.training.rows[sample] + 1}"
