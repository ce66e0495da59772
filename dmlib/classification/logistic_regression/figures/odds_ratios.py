"""Odds ratios of a logistic regression, with their 95 % limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.classification.logistic_regression.scene import features_of
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.problem import Problem

MAX_COLUMNS = 30


@dataclass(frozen=True)
class OddsData:
    """The factor on the odds for one unit more of each column."""

    names: tuple[str, ...]  # the columns
    odds: Floats  # (n_features,): exp(coefficient)
    # (n_features,): 95 % limits; None with a penalty, or where the fit did not reach a maximum
    low: Floats | None
    high: Floats | None
    positive: str  # the class whose odds these are


def odds_data(model: LogisticRegression, names: Sequence[str], positive: str) -> OddsData:
    """Return the odds ratios of a fitted model of two classes, those of the class ``positive``.

    Examples
    --------
    >>> from dmlib.classification import LogisticRegression, binomial_rows
    >>> model = LogisticRegression(C=np.inf).fit(*binomial_rows([[0], [1]], [10, 30], [40, 40]))
    >>> data = odds_data(model, ["treated"], "healed")
    >>> data.odds.round(6).tolist(), data.low.round(2).tolist(), data.high.round(2).tolist()
    ([9.0], [3.27], [24.76])
    """
    n_features = min(model.coef_.shape[1], MAX_COLUMNS)
    names = tuple(names[:n_features])
    with np.errstate(over="ignore"):
        odds = np.exp(model.coef_[0, :n_features])
    if not (hasattr(model, "odds_ratio_intervals_") and model.converged_):
        return OddsData(names, odds, None, None, positive)
    low, high = model.odds_ratio_intervals_[-model.coef_.shape[1] :][:n_features].T
    return OddsData(names, odds, low, high, positive)


def odds_ratios(run: Run[Problem, LogisticRegression]) -> go.Figure:
    """Draw the odds ratio of each column."""
    names = features_of(run.problem, run.model)
    return plot_odds_ratios(odds_data(run.fitted, names, run.problem.classes[1]))


def plot_odds_ratios(data: OddsData) -> go.Figure:
    """Draw one line per column on a logarithmic axis; 1, no effect, is dotted."""
    names = [f"{i + 1} {plain(name)}" for i, name in enumerate(data.names)]
    bars: dict[str, Any] = {}
    if data.low is not None and data.high is not None:
        bars = {
            "error_x": {
                "array": data.high - data.odds,
                "arrayminus": data.odds - data.low,
                "width": 6,
                "thickness": 2,
            },
            "customdata": np.column_stack([data.low, data.high]),
            "hovertemplate": (
                "%{x:.5g} (%{customdata[0]:.5g} to %{customdata[1]:.5g})<extra>%{y}</extra>"
            ),
        }
    figure = go.Figure()
    figure.add_scatter(
        x=data.odds, y=names, mode="markers", marker={"size": 11, "color": ACCENT}, **bars
    )
    figure.add_vline(x=1, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(type="log", title_text="odds ratio for one unit more")
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure = finish(figure, _title(data), _note(data), 120 + 34 * len(names))
    return figure.update_layout(margin_l=150)


def _title(data: OddsData) -> str:
    j = int(np.abs(np.log(np.maximum(data.odds, 1e-300))).argmax())
    factor = f"{data.odds[j]:.4g}"
    return (
        f"One unit more of {plain(data.names[j])} multiplies "
        f"the odds of {plain(data.positive)} by {factor}."
    )


def _note(data: OddsData) -> str:
    if data.low is None or data.high is None:
        return (
            "There are no confidence limits: they need C = "
            "∞, a converged run, and classes that overlap."
        )
    n_significant = int(((data.low > 1) | (data.high < 1)).sum())
    columns = count(len(data.names), "column has", "columns have")
    return f"{n_significant} of {columns} both 95 % limits on one side of 1 (dotted: no effect)."
