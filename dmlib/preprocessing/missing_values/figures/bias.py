"""The bias of imputations: errors of mean, spread, correlation and slope for deleted values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from sklearn.base import clone

from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.preprocessing import Imputer, MultipleImputer, make_holes
from dmlib.preprocessing.missing_values.mechanisms import MECHANISMS
from dmlib.preprocessing.missing_values.scene import pair_of
from dmlib.problem import Problem

SHARE, REPEATS, MAX_ROWS = 0.4, 3, 300
IMPUTERS: dict[str, Any] = {
    "drop": Imputer("drop"),
    "mean": Imputer("mean"),
    "sample": Imputer("sample"),
    "knn": Imputer("knn"),
    "regression": Imputer("regression"),
    "regression + noise": Imputer("regression", noise=True),
    "multiple": MultipleImputer(5, max_iter=1),
}
MEASURES = ("mean (in s)", "s / true s − 1", "r", "slope / true slope − 1")


@dataclass(frozen=True)
class Bias:
    """Errors after imputation, by measure, mechanism and imputer."""

    errors: NDArray[np.float64]  # (4, 3, n_imputers): mean of the errors over the repetitions
    names: tuple[str, str]  # the columns: complete, and with holes
    n_rows: int  # how many rows have both


def bias_data(run: Run[Problem, Imputer]) -> Bias:
    """Delete 40% of one column by three mechanisms, and impute it by seven imputers.

    Raises
    ------
    ValueError
        If there are no two columns of numbers that vary, or fewer than 20 rows have both.
    """
    x, y = pair_of(run.problem)
    pair = run.problem.X[:, [x, y]]
    pair = pair[~np.isnan(pair).any(axis=1)][:MAX_ROWS]
    if x == y or len(pair) < 20 or np.ptp(pair, axis=0).min() == 0:
        raise ValueError(
            "This needs two columns of numbers that vary, known in 20 rows."
            " Choose another data set."
        )
    truth = _measures(pair)
    errors = np.zeros((len(MEASURES), len(MECHANISMS), len(IMPUTERS)))
    for m, mechanism in enumerate(MECHANISMS):
        for seed in range(REPEATS):
            holes = make_holes(pair, mechanism, SHARE, seed)
            for w, model in enumerate(IMPUTERS.values()):
                filled = clone(model).fit_transform(holes)
                tables = filled if filled.ndim == 3 else [filled]
                estimates = np.mean([_measures(table) for table in tables], axis=0)
                errors[:, m, w] += _errors(estimates, truth) / REPEATS
    return Bias(errors, (run.problem.features[x], run.problem.features[y]), len(pair))


def _measures(pair: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return mean and deviation of the second column, r, and the slope of the first on it."""
    covariances = np.cov(pair.T)
    covariance = covariances[0, 1]
    spread = np.sqrt(np.maximum(np.diag(covariances), 1e-300))
    r, slope = covariance / spread.prod(), covariance / spread[1] ** 2
    return np.array([pair[:, 1].mean(), spread[1], r, slope])


def _errors(estimates: NDArray[np.float64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    units = np.array([truth[1], truth[1], 1.0, truth[3] or 1.0])
    return np.asarray((estimates - [truth[0], truth[1], truth[2], units[3]]) / units)


def bias(run: Run[Problem, Imputer]) -> go.Figure:
    """Draw the errors as bars."""
    return plot_bias(run.once("missing_values.bias", lambda: bias_data(run)))


def plot_bias(data: Bias) -> go.Figure:
    """Draw a panel for each measure and a group of bars for each mechanism."""
    figure = make_subplots(
        2, 2, subplot_titles=MEASURES, vertical_spacing=0.16, horizontal_spacing=0.12
    )
    colors = figure.layout.template.layout.colorway or [None]
    for w, name in enumerate(IMPUTERS):
        for i in range(len(MEASURES)):
            figure.add_bar(
                x=list(MECHANISMS),
                y=data.errors[i, :, w],
                name=name,
                legendgroup=name,
                showlegend=i == 0,
                marker_color=colors[w % len(colors)],
                hovertemplate=f"{name}, %{{x}}: %{{y:.3f}}<extra></extra>",
                row=i // 2 + 1,
                col=i % 2 + 1,
            )
    a, b = map(plain, data.names)
    title = f"{percent(SHARE)} of {b} deleted and imputed: the error against the true values."
    note = (
        f"Of {data.n_rows} rows that have both; the mean of {REPEATS} draws; zero is right."
        f" MCAR: at random. MAR: more where {a} is large. MNAR: more where {b} itself is large."
        f" The slope is that of {a} on {b}, the model."
    )
    finish(figure, title, note, 460)
    legend = {"orientation": "h", "y": -0.12}
    return figure.update_layout(showlegend=True, legend=legend, margin_b=90)
