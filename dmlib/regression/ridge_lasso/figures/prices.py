"""The price: coefficient paths with their knots, cross-validation, and what ridge regression shrinks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.regression.ridge_lasso.algorithm import Centred
from dmlib.regression.ridge_lasso.paths import CrossValidation, Path, coefficient_path, cross_validate

Floats = NDArray[np.float64]

N_SPLITS = 10
TINY = 1e-12  # share of the largest sum of squares up to which a component counts as none


def paths(run: Run) -> go.Figure:
    """Draw the coefficients over the size that all have together, and the knots of a lasso."""
    learned = run.problem.training
    path: Path = run.once("coefficient path", lambda: coefficient_path(run.model, learned.X, learned.y))
    sizes = np.abs(path.coefs).sum(axis=1)
    figure = go.Figure()
    mode: Any = "lines+markers" if path.knots else "lines"
    for name, values in zip(run.problem.features, path.coefs.T, strict=True):
        label = plain(name)
        hover = f"{label}<br>Σ|b| %{{x:.4g}}<br>b %{{y:.4g}}<br>α %{{customdata:.4g}}<extra></extra>"
        figure.add_scatter(x=sizes, y=values, customdata=path.alphas, name=label, mode=mode, hovertemplate=hover)
    figure.add_vline(x=float(np.abs(run.fitted.coef_).sum()), line={"dash": "dash", "color": MUTED})
    figure.update_xaxes(title_text="Σ|b|, all coefficients together")
    figure.update_yaxes(title_text="coefficient, b")
    if path.knots:
        title = f"{len(path.alphas)} knots: from α = {path.alphas[0]:.4g} on nothing is left."
        note = "Between two knots all coefficients move along straight lines. Dashed: the price that is set."
    else:
        title, note = "The coefficients grow together as the price falls.", "Dashed: the price that is set."
    finish(figure, title, note, 360)
    return figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.25})


def cross_validation_data(run: Run, progress: Callable[[Any], None]) -> tuple[CrossValidation, float]:
    """Cross-validate the price of a run's model."""
    learned = run.problem.training
    found = cross_validate(run.model, learned.X, learned.y, n_splits=N_SPLITS, random_state=run.seed, progress=progress)
    return found, float(run.model.alpha)


def plot_cross_validation(told: tuple[CrossValidation, float]) -> go.Figure:
    """Draw the mean error of each price with its standard error, and both choices."""
    data, alpha = told
    x = np.log10(data.alphas)
    mean, error = data.mean, data.standard_error
    figure = go.Figure()
    hover = "α = %{customdata:.4g}<br>mean squared error %{y:.4g}<extra></extra>"
    figure.add_scatter(
        x=x, y=mean, error_y={"array": error, "thickness": 1, "color": MUTED}, customdata=data.alphas,
        mode="lines+markers", marker={"color": ACCENT}, hovertemplate=hover,
    )  # fmt: skip
    best, simple = data.best, data.within_one_error
    for i, name in ((best, "least"), (simple, "one standard error")):
        figure.add_vline(x=x[i], line={"dash": "dot", "color": MUTED}, annotation_text=name)
    if alpha > 0:
        figure.add_vline(x=np.log10(alpha), line={"color": MUTED, "width": 1})
    figure.update_xaxes(title_text="log₁₀ α")
    figure.update_yaxes(title_text="mean squared error")
    title = f"α = {data.alphas[best]:.3g} errs least; α = {data.alphas[simple]:.3g} is within one standard error."
    note = f"{len(data.errors)} folds, with the standard error of their mean. The thin line is the price that is set."
    return finish(figure, title, note, 340)


def shrinkage(run: Run) -> go.Figure:
    """Draw what ridge regression leaves of each principal component of the columns."""
    learned = run.problem.training
    values = np.linalg.eigvalsh(Centred.of(np.asarray(learned.X, float), np.asarray(learned.y, float)).gram)[::-1]
    values = np.where(values > TINY * values[0], values, 0.0)
    alpha = run.model.alpha
    left = np.divide(values, values + alpha, out=np.zeros_like(values), where=values + alpha > 0)
    names = [f"component {i}" for i in range(1, len(values) + 1)]
    hover = "%{x}<br>sum of squares %{customdata:.4g}<br>%{y:.1%} left<extra></extra>"
    figure = go.Figure(go.Bar(x=names, y=left, customdata=values, marker={"color": ACCENT}, hovertemplate=hover))
    figure.update_yaxes(title_text="share that is left, d² / (d² + α)", range=[0, 1.02])
    title = f"Ridge regression at α = {alpha:.4g} has {left.sum():.3g} degrees of freedom, of {len(values)}."
    note = "Directions in which the columns hardly vary are shrunk most: there least squares is least certain."
    return finish(figure, title, note, 340)
