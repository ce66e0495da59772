"""Ridge, lasso and elastic net beside least squares, on the same data and with the same λ."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.regression.ridge_lasso.algorithm import ElasticNet

MOST_TERMS = 20
METHODS = {"least squares": 0.0, "ridge": 0.0, "elastic net": 0.5, "lasso": 1.0}


def coefficients_of_all(run: Run) -> dict[str, np.ndarray]:
    """Return the standardised coefficients of least squares, ridge, elastic net (ρ = 0.5) and lasso."""
    model, arguments = run.model, run.problem.training.arguments
    found = {}
    for name, share in METHODS.items():
        alpha = 0.0 if name == "least squares" else model.alpha
        other = ElasticNet(
            alpha=alpha,
            l1_ratio=share,
            standardize=model.standardize,
            fit_intercept=model.fit_intercept,
            max_iter=1,
        )
        found[name] = other.fit(*arguments).standardized_coef_
    return found


def side_by_side(run: Run) -> go.Figure:
    """Draw the coefficients of the four as bars, a group for each column."""
    found = coefficients_of_all(run)
    names = [
        f"{j + 1} {plain(term)}"
        for j, term in enumerate(run.fitted.term_names(run.problem.features))
    ]
    figure = go.Figure()
    for name, coef in found.items():
        figure.add_bar(name=name, x=names[:MOST_TERMS], y=coef[:MOST_TERMS])
    figure.update_yaxes(title="b (standardised)" if run.model.standardize else "b")
    zeros = int((found["lasso"] == 0).sum())
    sizes = ", ".join(f"{name} {np.abs(coef).sum():.3g}" for name, coef in found.items())
    title = (
        f"With λ = {run.model.alpha:.4g}, the lasso sets {zeros} of {len(names)} coefficients to 0."
    )
    finish(figure, title, f"Sums of absolute coefficients: {sizes}.", 360)
    return figure.update_layout(
        showlegend=True, barmode="group", legend={"orientation": "h", "y": -0.2}
    )
