"""Boundaries and errors of a discriminant analysis and of logistic regression on the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from dmlib.arrays import Floats
from dmlib.classification.discriminant import Discriminant
from dmlib.pictures.contours import contours
from dmlib.pictures.figures.style import ACCENT, MUTED, SYMBOLS, class_color, finish, plain
from dmlib.pictures.regions import region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem
from dmlib.trace import look

FOLDS = 5
GRID = 81  # places along each side
MAX_ROWS = 600  # that are drawn
# C of the logistic regression, on standardised columns: without a penalty, separable classes have
# no optimum
C = 1e4
NAMES = ("discriminant analysis", "logistic regression")


@dataclass(frozen=True)
class RivalData:
    """Two classifiers trained on the same rows."""

    problem: Problem
    boundaries: tuple[Floats, Floats]  # of the predicted classes in the plane, with gaps of NaN
    errors: dict[str, Floats]  # (2,): of both, by the rows that they are counted on
    differing: float  # the fraction of all rows that the two predict differently


def rival_data(run: Run[Problem, Discriminant]) -> RivalData:
    """Return the errors of the model of a run and of a logistic regression with a tiny penalty."""
    problem = run.problem
    training, testing = problem.training, problem.testing
    rival = make_pipeline(StandardScaler(), LogisticRegression(C=C, max_iter=2000))
    X = training.data
    y = np.asarray(training.y)
    with catch_warnings():
        simplefilter("ignore", ConvergenceWarning)
        models = [run.fitted, rival.fit(X, y)]
        errors = {"training": _errors(models, X, y)}
        n = min(FOLDS, int(np.unique(y, return_counts=True)[1].min()))
        if n > 1:
            errors["cross-validation"] = _validated([run.model, rival], X, y, n, run.seed)
    if testing is not None:
        errors["test"] = _errors(models, testing.data, np.asarray(testing.y))
    first, second = (model.predict(problem.data) for model in models)
    boundaries = _boundary(problem, models[0]), _boundary(problem, models[1])
    return RivalData(problem, boundaries, errors, float((first != second).mean()))


def _errors(models: Sequence[Any], X: Floats, y: NDArray[np.intp]) -> Floats:
    return np.array([(model.predict(X) != y).mean() for model in models])


def _validated(
    models: Sequence[Any], X: Floats, y: NDArray[np.intp], n_folds: int, seed: int
) -> Floats:
    n_wrong = np.zeros(len(models))
    for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(X, y):
        look()
        for i, model in enumerate(models):
            try:
                predicted = clone(model).fit(X[train], y[train]).predict(X[test])
                n_wrong[i] += (predicted != y[test]).sum()
            except ValueError:  # without one fold a matrix is singular
                n_wrong[i] = np.nan
    return n_wrong / len(y)


def _boundary(problem: Problem, model: Discriminant) -> Floats:
    panel = region_panel(problem)
    x, y = (np.linspace(axis.low, axis.high, GRID) for axis in (panel.x, panel.y))
    # scikit-learn takes the logarithm of probabilities that are 0.
    with np.errstate(divide="ignore"):
        scores = model.predict_log_proba(problem.table(problem.plane.lift_grid(x, y)))
    scores = np.maximum(scores, -1e9).reshape(GRID, GRID, -1)
    gap = np.full((1, 2), np.nan)
    lines = [gap]
    for k in range(scores.shape[2] - 1):
        lines += [contours(scores[:, :, k] - np.delete(scores, k, 2).max(axis=2), x, y, 0.0), gap]
    return np.vstack(lines)


def logistic_rival(run: Run[Problem, Discriminant]) -> go.Figure:
    """Draw both boundaries over the rows, and both errors."""
    return plot_rival(rival_data(run))


def plot_rival(data: RivalData) -> go.Figure:
    """Draw the boundaries over the rows above the errors."""
    figure = make_subplots(rows=2, cols=1, vertical_spacing=0.16, row_heights=[0.68, 0.32])
    problem = data.problem
    panel = region_panel(problem)
    step = -(-len(problem.X) // MAX_ROWS)
    points = problem.points[::step]
    codes = np.asarray(problem.y)[::step]
    for code, name in enumerate(problem.classes):
        x, y = points[codes == code].T
        marker = {
            "symbol": SYMBOLS[code % len(SYMBOLS)],
            "size": 6,
            "color": class_color(figure, code),
            "opacity": 0.6,
        }
        figure.add_scatter(
            x=x, y=y, mode="markers", marker=marker, hovertemplate=f"{plain(name)}<extra></extra>"
        )
    styles: tuple[dict[str, Any], ...] = (
        {"color": ACCENT, "width": 3},
        {"color": MUTED, "width": 3, "dash": "dash"},
    )
    for line, style, name in zip(data.boundaries, styles, NAMES, strict=True):
        figure.add_scatter(
            x=line[:, 0], y=line[:, 1], mode="lines", line=style, name=name, row=1, col=1
        )
    parts = list(data.errors)
    for i, color in enumerate((ACCENT, MUTED)):
        figure.add_bar(
            x=parts,
            y=[data.errors[part][i] for part in parts],
            marker={"color": color},
            row=2,
            col=1,
            hovertemplate=f"{NAMES[i]}: %{{x}} error %{{y:.1%}}<extra></extra>",
        )
    figure.update_xaxes(
        title_text=plain(panel.x.label), range=[panel.x.low, panel.x.high], row=1, col=1
    )
    figure.update_yaxes(
        title_text=plain(panel.y.label), range=[panel.y.low, panel.y.high], row=1, col=1
    )
    figure.update_yaxes(title_text="error", tickformat=".0%", rangemode="tozero", row=2, col=1)
    title = f"The two predict {percent(data.differing)} of the rows differently."
    note = (
        "Blue: discriminant analysis; grey: logistic regression, almost without "
        "penalty. If the classes are normal with equal covariance matrices, the "
        "first needs fewer rows; if not, the second has the better boundary."
    )
    return finish(figure, title, note, 560)
