"""Another criterion beside least squares: its coefficients and its residuals."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.linear_regression.absolute_deviations import LeastAbsoluteDeviations
from dmlib.regression.linear_regression.algorithm import LinearRegression
from dmlib.regression.linear_regression.fit_ledger import Fit

MAX_TERMS = 40
HEIGHT = 380
OF_SQUARES = "This figure is of least squares. Choose the method Least squares."


def is_other(run: Run[Problem, Any]) -> bool:
    """Return whether a run is of another method than least squares."""
    return not isinstance(run.model, LinearRegression)


def refuse_other(run: Run[Problem, Any]) -> None:
    """Refuse a run of another method than least squares.

    Raises
    ------
    ValueError
        If the run is one.
    """
    if is_other(run):
        raise ValueError(OF_SQUARES)


def coefficient_gaps(run: Run[Problem, Any]) -> go.Figure:
    """Draw by how many standard errors the coefficients differ from those of least squares."""
    squares, model = Fit.of(run, 0).model, run.fitted
    if squares.inference_ is None:
        raise ValueError(squares.no_inference_)
    errors = squares.standard_errors_[int(model.fit_intercept) :][:MAX_TERMS]
    b, b_squares = model.coef_[:MAX_TERMS], squares.coef_[:MAX_TERMS]
    terms = model.term_names(run.problem.features)[:MAX_TERMS]
    gaps = np.divide(b - b_squares, errors, out=np.zeros(len(b)), where=errors > 0)
    figure = go.Figure()
    figure.add_scatter(
        x=gaps,
        y=[f"{j} {plain(name)}" for j, name in enumerate(terms, 1)],
        mode="markers",
        marker={"size": 10, "color": ACCENT},
        customdata=np.column_stack([b, b_squares]),
        hovertemplate="%{customdata[0]:.4g}, least squares %{customdata[1]:.4g}<extra>%{y}</extra>",
    )
    figure.add_vline(x=0, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_yaxes(autorange="reversed", showgrid=False)
    worst = int(np.nanargmax(np.abs(gaps)))
    title = f"{terms[worst]} differs most: {b[worst]:.4g}, by least squares {b_squares[worst]:.4g}."
    note = "Across: the difference from least squares, in standard errors of least squares."
    height = 170 + 30 * len(terms)
    return finish(figure, plain(title), note, height).update_layout(margin_l=150)


def residual_sizes(run: Run[Problem, Any]) -> go.Figure:
    """Draw the absolute residuals of each row over those of least squares."""
    learned, squares = run.problem.training, Fit.of(run, 0).model
    is_absolute = isinstance(run.model, LeastAbsoluteDeviations)
    name = "least absolute deviations" if is_absolute else "least mean squares"
    y = np.asarray(learned.y, float)
    x, sizes = (np.abs(y - model.predict(learned.data)) for model in (squares, run.fitted))
    figure = go.Figure()
    figure.add_scatter(
        x=x,
        y=sizes,
        mode="markers",
        marker={"size": 7, "color": ACCENT, "opacity": 0.75},
        customdata=learned.rows + 1,
        text=[plain(label) for label in learned.labels],
        hovertemplate="%{text}<br>least squares %{x:.4g}<br>this line %{y:.4g}<extra></extra>",
    )
    top = float(max(x.max(), sizes.max()))
    line = {"dash": "dot", "color": MUTED}
    figure.add_scatter(x=[0, top], y=[0, top], mode="lines", line=line, hoverinfo="skip")
    figure.update_xaxes(title_text="|residual| of least squares")
    figure.update_yaxes(title_text=f"|residual| of {name}")
    n_smaller = int((sizes < x).sum())
    title = f"{n_smaller} of {len(x)} rows have a smaller residual than by least squares."
    note = "Rows above the dotted line pay for it: their residual is larger."
    return finish(figure, title, note, HEIGHT)
