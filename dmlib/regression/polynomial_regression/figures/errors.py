"""Cross-validated errors of polynomials, splines and local regression at each level."""

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
from dmlib.pictures.figures.style import class_color, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.polynomial_regression.algorithm import PolynomialRegression
from dmlib.regression.polynomial_regression.curve import Curve, CurveErrors
from dmlib.regression.polynomial_regression.local_regression import LocalRegression
from dmlib.regression.polynomial_regression.natural_spline import NaturalSpline
from dmlib.trace import look

N_SPLITS = 10
CURVES = {
    "degree": ("polynomial", PolynomialRegression),
    "knots": ("natural spline", NaturalSpline),
    "span": ("local lines", LocalRegression),
}


@dataclass(frozen=True)
class CurveSweep:
    """Root mean squared errors in cross-validation.

    Attributes
    ----------
    levels : dict of str to ndarray of shape (n_levels,)
        The levels of each kind of curve that all folds allow.
    errors : dict of str to ndarray of shape (n_folds, n_levels)
        The errors on the rows of the folds.
    """

    levels: dict[str, Floats]
    errors: dict[str, Floats]


def error_data(run: Run[Problem, Curve], progress: Callable[[Any], None]) -> CurveSweep:
    """Cross-validate all curves on the training rows of a run.

    Raises
    ------
    ValueError
        If there are fewer than ten rows.
    """
    learned = run.problem.training
    x = run.model.x_of(np.asarray(learned.X, float))
    y = np.asarray(learned.y, float)
    if len(x) < 10:
        raise ValueError("Cross-validation needs at least 10 rows here.")
    folds = list(KFold(min(N_SPLITS, len(x) // 5), shuffle=True, random_state=run.seed).split(x))
    by_fold = list(engine.map(partial(_fold_errors, x, y), folds, progress=progress))
    sweep = CurveSweep({}, {})
    for name in CURVES:
        n_levels = min(len(fold[name].levels) for fold in by_fold)
        sweep.levels[name] = by_fold[0][name].levels[:n_levels]
        sweep.errors[name] = np.array([fold[name].test[:n_levels] for fold in by_fold])
    return sweep


def _fold_errors(x: Floats, y: Floats, fold: tuple[Any, Any]) -> dict[str, CurveErrors]:
    """Return the errors of all curves on one fold: a task."""
    train, test = fold
    errors = {}
    for name, (_, algorithm) in CURVES.items():
        look()
        model: Curve = algorithm()
        if isinstance(model, LocalRegression):
            model.trust_ = np.ones(len(train))
        errors[name] = model.errors(x[train], y[train], x[test], y[test])
    return errors


def plot_errors(data: CurveSweep) -> go.Figure:
    """Draw the error of each curve over its levels."""
    figure = go.Figure()
    best_levels = []
    for code, (name, (title, _)) in enumerate(CURVES.items()):
        mean = np.sqrt((data.errors[name] ** 2).mean(axis=0))
        levels = data.levels[name]
        best = int(mean.argmin())
        value = f"{levels[best]:.2f}" if name == "span" else f"{levels[best]:.0f}"
        best_levels.append(f"{title} {mean[best]:.3g} ({name} {value})")
        x = np.arange(len(levels)) if name != "span" else np.arange(len(levels))[::-1]
        color = class_color(figure, code)
        figure.add_scatter(
            x=x,
            y=mean,
            name=title,
            mode="lines+markers",
            line={"color": color},
            marker={"color": color},
            customdata=levels,
            hovertemplate=(
                f"{title}<br>{name} %{{customdata:.3g}}<br>RMSE %{{y:.4g}}<extra></extra>"
            ),
        )
    smallest = min(float(np.nanmin(trace.y)) for trace in figure.data)
    of_stiffest = max(float(trace.y[0]) for trace in figure.data)
    top = 1.15 * max(of_stiffest, 2 * smallest)
    figure.update_yaxes(title_text="RMSE in cross-validation", range=[0, top])
    figure.update_xaxes(title_text="from stiff to flexible")
    note = f"{len(data.errors['degree'])} folds. Smallest errors."
    return finish(figure, "; ".join(best_levels) + ".", note, 360, legend=True)
