"""The choice of λ: cross-validated errors, with the rule of one standard error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.ridge_lasso.path import PathErrors, cross_validated_path

FOLDS = 10
MAX_TERMS = 60


@dataclass(frozen=True)
class Choice:
    """The errors by λ, and the λ of the slider."""

    alpha: float
    path: PathErrors


def errors_by_alpha(run: Run[Problem, Any], progress: Any = None) -> Choice:
    """Return the cross-validated errors of a run's model for each λ.

    Raises
    ------
    ValueError
        If there are too few rows, or so many terms that it would take long.
    """
    model, learned = run.fitted, run.problem.training
    terms = model.design(learned.data)
    if terms.shape[1] > MAX_TERMS:
        raise ValueError(
            f"Cross-validation is shown for at most {MAX_TERMS} terms, and here are"
            f" {terms.shape[1]}. Choose fewer columns."
        )
    path = cross_validated_path(
        terms,
        np.asarray(learned.y, float),
        l1_ratio=model.share,
        standardize=model.standardize,
        fit_intercept=model.fit_intercept,
        cv=FOLDS,
        progress=progress,
    )
    return Choice(float(run.model.alpha), path)


def plot_choice(data: Choice) -> go.Figure:
    """Draw the error by λ with its standard error, and which λ are chosen."""
    path = data.path
    figure = go.Figure()
    for sign in (1, -1):
        limit = path.errors + sign * path.standard_errors
        figure.add_scatter(
            x=path.alphas, y=limit, mode="lines", line={"color": MUTED, "width": 1, "dash": "dot"}
        )
    figure.add_scatter(
        x=path.alphas, y=path.errors, mode="lines", line={"color": ACCENT, "width": 3}
    )
    for place, name in ((path.best, "smallest"), (path.one_se, "one SE")):
        figure.add_scatter(
            x=[path.alphas[place]],
            y=[path.errors[place]],
            mode="markers+text",
            text=[name],
            textposition="top center",
            marker={"size": 11, "color": ACCENT},
        )
    figure.add_vline(x=max(data.alpha, path.alphas[-1]), line={"width": 2, "color": MUTED})
    figure.update_xaxes(type="log", title="λ").update_yaxes(title="mean squared error")
    best = f"{path.alphas[path.best]:.4g}"
    one_se = f"{path.alphas[path.one_se]:.4g}"
    title = f"The error is smallest at λ = {best}; the one-standard-error rule takes λ = {one_se}."
    note = "Ten folds, standardised anew in each. Dotted: one standard error. Vertical: current λ."
    return finish(figure, title, note, 340)
