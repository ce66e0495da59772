"""The error of every level in cross-validation: polynomials, splines and local regression side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.model_selection import KFold

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.pictures.figures.style import class_color, finish
from dmlib.pictures.run import Run
from dmlib.regression.polynomial_regression.algorithm import PolynomialRegression
from dmlib.regression.polynomial_regression.local_regression import LocalRegression
from dmlib.regression.polynomial_regression.natural_spline import NaturalSpline
from dmlib.trace import look

N_SPLITS = 10
PANELS = {
    "degree": ("polynomial", PolynomialRegression),
    "knots": ("natural spline", NaturalSpline),
    "span": ("local lines", LocalRegression),
}


@dataclass(frozen=True)
class CurveSweep:
    """Root mean squared errors of cross-validation.

    Attributes
    ----------
    levels : dict of str to ndarray of shape (n_levels,)
        Of each kind of curve, those that all folds allow.
    errors : dict of str to ndarray of shape (n_folds, n_levels)
        Its errors on the rows of the folds.
    """

    levels: dict[str, Floats]
    errors: dict[str, Floats]


def error_data(run: Run, progress: Callable[[Any], None]) -> CurveSweep:
    """Cross-validate all curves on the training rows of a run.

    Raises
    ------
    ValueError
        If there are fewer than ten rows.
    """
    learned = run.problem.training
    x, y = run.model.x_of(np.asarray(learned.X, float)), np.asarray(learned.y, float)
    if len(x) < 10:
        raise ValueError("Cross-validation needs at least 10 rows here.")
    folds = list(KFold(min(N_SPLITS, len(x) // 5), shuffle=True, random_state=run.seed).split(x))
    found = list(engine.map(_Task(x, y), folds, progress=progress))
    levels, errors = {}, {}
    for name in PANELS:
        most = min(len(fold[name][0]) for fold in found)
        levels[name] = found[0][name][0][:most]
        errors[name] = np.array([fold[name][1][:most] for fold in found])
    return CurveSweep(levels, errors)


@dataclass(frozen=True)
class _Task:
    x: Floats
    y: Floats

    def __call__(self, fold: tuple[Any, Any]) -> dict[str, tuple[Floats, Floats]]:
        """Return the levels and errors of all curves on one fold."""
        train, test = fold
        x, y = self.x[train], self.y[train]
        told = {}
        for name, (_, algorithm) in PANELS.items():
            look()
            model: Any = algorithm()
            if isinstance(model, LocalRegression):
                model.trust_ = np.ones(len(x))
            errors = model.errors(x, y, self.x[test], self.y[test])
            told[name] = errors.levels, errors.test
        return told


def plot_errors(data: CurveSweep) -> go.Figure:
    """Draw the error of each curve by the share of its levels that is used."""
    figure = go.Figure()
    told = []
    for code, (name, (title, _)) in enumerate(PANELS.items()):
        mean = np.sqrt((data.errors[name] ** 2).mean(axis=0))
        levels = data.levels[name]
        best = int(mean.argmin())
        value = f"{levels[best]:.2f}" if name == "span" else f"{levels[best]:.0f}"
        told.append(f"{title} {mean[best]:.3g} ({name} {value})")
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
    least = min(float(np.nanmin(trace.y)) for trace in figure.data)
    most = max(float(trace.y[0]) for trace in figure.data)
    figure.update_yaxes(
        title_text="RMSE in cross-validation", range=[0, 1.15 * max(most, 2 * least)]
    )
    figure.update_xaxes(title_text="from stiff to flexible")
    return finish(
        figure,
        "; ".join(told) + ".",
        f"{len(data.errors['degree'])} folds. Smallest errors.",
        360,
        legend=True,
    )
