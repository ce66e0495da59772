"""Cross-validated errors and coefficients by the number of components."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.model_selection import KFold

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.pictures.figures.style import MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.pcr.algorithm import PLSRegression, PrincipalComponentRegression
from dmlib.regression.ridge_lasso.path import cross_validated_path
from dmlib.trace import look

N_SPLITS = 10
MAX_COMPONENTS = 30
NAMES = {
    "principal components": PrincipalComponentRegression,
    "partial least squares": PLSRegression,
}


@dataclass(frozen=True)
class ErrorData:
    """Mean squared errors of cross-validation by the number of components.

    Attributes
    ----------
    errors : dict of str to ndarray of shape (n_folds, n_components + 1)
        By method; the first column is the error of the mean.
    ridge : float
        The smallest error of ridge regression over its penalties.
    """

    errors: dict[str, Floats]
    ridge: float


def error_data(run: Run[Problem, Any], progress: Callable[[Any], None]) -> ErrorData:
    """Cross-validate both methods on the training rows of a run.

    Raises
    ------
    ValueError
        If there are fewer than six rows.
    """
    learned = run.problem.training
    X, y = np.asarray(learned.X, float), np.asarray(learned.y, float)
    if len(X) < 6:
        raise ValueError("Cross-validation needs at least 6 rows here.")
    folds = list(KFold(min(N_SPLITS, len(X) // 2), shuffle=True, random_state=run.seed).split(X))
    n_components = min(MAX_COMPONENTS, X.shape[1], min(len(train) for train, _ in folds) - 1)
    task = partial(_errors, X, y, n_components, run.model.scale)
    errors_by_fold = list(engine.map(task, folds, progress=progress))
    errors = {name: np.array([fold[i] for fold in errors_by_fold]) for i, name in enumerate(NAMES)}
    ridge = cross_validated_path(
        X, y, l1_ratio=0.0, standardize=run.model.scale, cv=len(folds), random_state=run.seed
    )
    return ErrorData(errors, float(ridge.errors.min()))


def _errors(
    X: Floats, y: Floats, n_components: int, scale: bool, fold: tuple[Any, Any]
) -> list[Floats]:
    """Return the errors of both methods on one fold by the number of components: a task."""
    train, test = fold
    errors_by_method = []
    for algorithm in NAMES.values():
        look()
        *steps, _ = algorithm(n_components, scale=scale).steps(X[train], y[train])
        residuals = [y[test] - X[test] @ step.coef - step.intercept for step in steps]
        errors = [float((r**2).mean()) for r in residuals]
        n_missing = n_components + 1 - len(errors)
        errors_by_method.append(np.array(errors + errors[-1:] * n_missing))
    return errors_by_method


def plot_errors(data: ErrorData) -> go.Figure:
    """Draw the mean error by the number of components."""
    figure = go.Figure()
    best = {}
    for (name, errors), dash in zip(data.errors.items(), ("solid", "dash"), strict=True):
        mean = errors.mean(axis=0)
        best[name] = int(mean.argmin())
        hover = f"%{{x}} components<br>{name}: %{{y:.4g}}<extra></extra>"
        x = np.arange(len(mean))
        figure.add_scatter(
            x=x, y=mean, name=name, mode="lines+markers", line={"dash": dash}, hovertemplate=hover
        )
    figure.add_hline(
        y=data.ridge, line={"dash": "dot", "color": MUTED}, annotation_text="ridge at its best"
    )
    figure.update_xaxes(title_text="components", dtick=max(1, len(figure.data[0].x) // 10))
    figure.update_yaxes(title_text="mean squared error", rangemode="tozero")
    pcr, pls = best.values()
    title = (
        f"In cross-validation {pcr} principal components have the smallest error, or {pls} of"
        " partial least squares."
    )
    return finish(
        figure,
        title,
        f"{len(next(iter(data.errors.values())))} folds; 0 components predict the mean.",
        340,
        legend=True,
    )


def coefficients(run: Run[Problem, Any]) -> go.Figure:
    """Draw the coefficients of the columns by the number of components, in standard deviations."""
    learned = run.problem.training
    X = np.asarray(learned.X, float)
    n_components = min(MAX_COMPONENTS, X.shape[1])
    model = type(run.model)(n_components, scale=run.model.scale).fit(X, learned.y)
    figure = go.Figure()
    x = np.arange(1, model.n_components_ + 1)
    for name, values in zip(run.problem.features, (model.coefs_ * X.std(axis=0)).T, strict=True):
        label = plain(name)
        hover = f"{label}<br>%{{x}} components<br>b · s = %{{y:.4g}}<extra></extra>"
        figure.add_scatter(x=x, y=values, name=label, mode="lines+markers", hovertemplate=hover)
    figure.add_vline(x=run.fitted.n_components_, line={"dash": "dash", "color": MUTED})
    figure.update_xaxes(title_text="components", dtick=max(1, len(x) // 10))
    figure.update_yaxes(title_text="coefficient × standard deviation")
    title = (
        "With few components similar columns have similar coefficients; with all it is least"
        " squares."
    )
    return finish(figure, title, "Dashed: the current number.", 360, legend=True)
