"""The choice of λ: the error in cross-validation, with the rule of one standard error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.regression.ridge_lasso.path import PathErrors, cross_validated_path

FOLDS = 10
MOST_TERMS = 60


@dataclass(frozen=True)
class Choice:
    """The errors by λ, and the λ of the slider."""

    alpha: float
    found: PathErrors


def errors_by_alpha(run: Run, progress: Any = None) -> Choice:
    """Return the errors of a run's model by λ in cross-validation.

    Raises
    ------
    ValueError
        If there are too few rows, or so many terms that it would take long.
    """
    model, learned = run.fitted, run.problem.training
    terms = model.design(learned.data)
    if terms.shape[1] > MOST_TERMS:
        raise ValueError(
            f"Cross-validation is shown for at most {MOST_TERMS} terms, and here are"
            f" {terms.shape[1]}. Choose fewer columns."
        )
    found = cross_validated_path(
        terms,
        np.asarray(learned.y, float),
        l1_ratio=model.share,
        standardize=model.standardize,
        fit_intercept=model.fit_intercept,
        cv=FOLDS,
        progress=progress,
    )
    return Choice(float(run.model.alpha), found)


def plot_choice(data: Choice) -> go.Figure:
    """Draw the error by λ with its standard error, and which λ are chosen."""
    found, figure = data.found, go.Figure()
    high, low = found.errors + found.standard_errors, found.errors - found.standard_errors
    for values in (high, low):
        figure.add_scatter(
            x=found.alphas, y=values, mode="lines", line={"color": MUTED, "width": 1, "dash": "dot"}
        )
    figure.add_scatter(
        x=found.alphas, y=found.errors, mode="lines", line={"color": ACCENT, "width": 3}
    )
    for place, name in ((found.best, "smallest"), (found.one_se, "one SE")):
        figure.add_scatter(
            x=[found.alphas[place]],
            y=[found.errors[place]],
            mode="markers+text",
            text=[name],
            textposition="top center",
            marker={"size": 11, "color": ACCENT},
        )
    figure.add_vline(x=max(data.alpha, found.alphas[-1]), line={"width": 2, "color": MUTED})
    figure.update_xaxes(type="log", title="λ").update_yaxes(title="mean squared error")
    best, rule = found.alphas[found.best], found.alphas[found.one_se]
    title = (
        f"The error is smallest at λ = {best:.4g}; the one-standard-error rule takes λ ="
        f" {rule:.4g}."
    )
    note = (
        "Ten folds, standardised anew in each. Dotted: one standard error. Vertical: the current λ."
    )
    return finish(figure, title, note, 340)
