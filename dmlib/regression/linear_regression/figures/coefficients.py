"""The coefficients of a linear regression with their limits, and the table of their tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, CLEAR, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.linear_regression.algorithm import LinearRegression
from dmlib.regression.linear_regression.figures.absolute import coefficient_gaps, is_other

MAX_TERMS = 40
HEAD = ("", "b", "SE", "t", "p", "VIF")


def coefficient_rows(model: LinearRegression, names: Sequence[str]) -> list[list[str]]:
    """Return a line of text for each coefficient: name, b, SE, t, p, VIF.

    Examples
    --------
    >>> from dmlib.regression import LinearRegression
    >>> model = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 2.0, 4.0, 5.0])
    >>> coefficient_rows(model, ["x"])[1]
    ['x', '1.4', '0.1414', '9.899', '0.01005', '1']
    """
    constant = int(model.fit_intercept)
    inference = model.inference_
    assert inference is not None
    values = [*[model.intercept_] * constant, *model.coef_]
    vif = [*[np.nan] * constant, *inference.vif]
    columns = (values, inference.standard_errors, inference.t, inference.p, vif)
    titles = [*["intercept"] * constant, *map(plain, names)]
    numbers = [[_number(value) for value in column] for column in columns]
    return [list(row) for row in zip(titles, *numbers, strict=True)][:MAX_TERMS]


def coefficients(run: Run[Problem, LinearRegression]) -> go.Figure:
    """Draw the limits of each coefficient in standard errors, over the table of the tests."""
    if is_other(run):
        return coefficient_gaps(run)
    model = run.fitted
    if model.inference_ is None:
        raise ValueError(model.no_inference_)
    terms = model.term_names(run.problem.features)
    rows = coefficient_rows(model, terms)
    inference = model.inference_
    first = int(model.fit_intercept)
    visible = slice(first, first + MAX_TERMS)
    names = [f"{j + 1} {plain(name)}" for j, name in enumerate(terms[:MAX_TERMS])]
    table = 40 + 30 * len(rows)
    chart = 70 + 30 * len(names)
    figure = make_subplots(
        2,
        1,
        specs=[[{"type": "xy"}], [{"type": "table"}]],
        row_heights=[chart, table],
        vertical_spacing=40 / (chart + table + 40),
    )
    t = inference.t[visible]
    half = ((inference.limits[:, 1] - inference.limits[:, 0]) / 2 / inference.standard_errors)[
        visible
    ]
    figure.add_scatter(
        x=t,
        y=names,
        mode="markers",
        marker={"size": 10, "color": ACCENT},
        error_x={"array": half, "width": 6, "thickness": 2},
        hovertemplate="t = %{x:.4g}<extra>%{y}</extra>",
        row=1,
        col=1,
    )
    figure.add_vline(x=0, line={"dash": "dot", "width": 2, "color": MUTED}, row=1, col=1)
    figure.update_yaxes(autorange="reversed", showgrid=False, row=1, col=1)
    columns = list(zip(*rows, strict=True))
    style = {"fill_color": CLEAR, "line_color": MUTED, "align": ["left", *["right"] * 5]}
    figure.add_table(
        header={"values": [f"<b>{head}</b>" for head in HEAD], "height": 30, **style},
        cells={"values": columns, "height": 30, **style},
        columnwidth=[2.2, 1, 1, 1, 1, 1],
        row=2,
        col=1,
    )
    n_clear = int((np.abs(t) > half).sum())
    level = f"{100 * model.confidence_level:g} %"
    title = (
        f"The {level} confidence limits of {n_clear} of {len(t)} coefficients are on one side of 0."
    )
    note = (
        "Across: t = b / SE with the limits in standard errors, so that all units compare. Dotted:"
        " no effect."
    )
    return finish(figure, title, note, chart + table + 100).update_layout(margin_l=150)


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.4g}".replace("-", "−")
