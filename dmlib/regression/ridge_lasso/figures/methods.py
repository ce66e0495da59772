"""Ridge, lasso and elastic net beside least squares, on the same data and with the same λ."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.ridge_lasso.algorithm import ElasticNet

MAX_TERMS = 20
L1_RATIOS = {"least squares": 0.0, "ridge": 0.0, "elastic net": 0.5, "lasso": 1.0}


def coefficients_of_all(run: Run[Problem, Any]) -> dict[str, np.ndarray]:
    """Return the standardised coefficients by method; the elastic net has ρ = 0.5."""
    coefficients = {}
    for name, l1_ratio in L1_RATIOS.items():
        model = ElasticNet(
            alpha=0.0 if name == "least squares" else run.model.alpha,
            l1_ratio=l1_ratio,
            standardize=run.model.standardize,
            fit_intercept=run.model.fit_intercept,
            max_iter=1,
        )
        coefficients[name] = model.fit(*run.problem.training.arguments).standardized_coef_
    return coefficients


def side_by_side(run: Run[Problem, Any]) -> go.Figure:
    """Draw the coefficients of the four methods as bars, a group for each column."""
    coefficients = coefficients_of_all(run)
    names = [
        f"{j + 1} {plain(term)}"
        for j, term in enumerate(run.fitted.term_names(run.problem.features))
    ]
    figure = go.Figure()
    for name, coef in coefficients.items():
        figure.add_bar(name=name, x=names[:MAX_TERMS], y=coef[:MAX_TERMS])
    figure.update_yaxes(title="b (standardised)" if run.model.standardize else "b")
    n_zero = int((coefficients["lasso"] == 0).sum())
    sizes = ", ".join(f"{name} {np.abs(coef).sum():.3g}" for name, coef in coefficients.items())
    alpha = f"λ = {run.model.alpha:.4g}"
    title = f"With {alpha}, the lasso sets {n_zero} of {len(names)} coefficients to 0."
    finish(figure, title, f"Sums of absolute coefficients: {sizes}.", 360)
    return figure.update_layout(
        showlegend=True, barmode="group", legend={"orientation": "h", "y": -0.2}
    )
