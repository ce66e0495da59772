"""Learning curve and double descent: errors by the number of rows, and of columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.evaluation.bias_variance.algorithm import BiasVariance
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.trace import look

SIZES = (20, 25, 30, 40, 50, 70, 100, 140, 200)
N_ROWS = 20  # of the double descent
N_SETS = 60
COLUMNS = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 19, 20, 21, 22, 24, 28, 35, 50, 80, 140, 300)
NOISE = 0.3
RATE = 18.0  # standard deviation of the frequencies: waves about as long as the gaps between rows
N_TEST = 200


@dataclass(frozen=True, eq=False)
class Curves:
    """Errors along a sweep."""

    at: tuple[int, ...]  # rows, or columns
    error: Floats  # on new rows
    training: Floats  # on training rows
    floor: float  # the error of the truth itself


def learning_data(run: Run[Problem, BiasVariance], progress: Any) -> Curves:
    """Simulate training sets of several sizes."""
    X, y = run.problem.training.arguments
    task = partial(_errors_of, clone(run.model), X, y, run.seed)
    errors = np.array(list(engine.map(task, SIZES, progress=progress)))
    return Curves(SIZES, errors[:, 0], errors[:, 1], float(errors[0, 2]))


def _errors_of(
    model: BiasVariance, X: Any, y: Any, seed: int, n: int
) -> tuple[float, float, float]:
    model = model.set_params(n_samples=n, random_state=seed).fit(X, y)
    return model.error_, model.train_error_, model.noise_


def plot_learning(data: Curves) -> go.Figure:
    """Draw both errors by the number of rows."""
    figure = _lines(data, "training rows")
    figure.update_xaxes(type="log", tickvals=list(data.at))
    gaps = data.error - data.training
    title = (
        f"From {data.at[0]} to {data.at[-1]} rows, the gap of both errors falls from {gaps[0]:.3g}"
        f" to {gaps[-1]:.3g}."
    )
    note = "More rows reduce the variance, not the bias. Dotted: the noise, the irreducible error."
    return _finish(figure, title, note)


def descent_data(run: Run[Problem, BiasVariance], progress: Any) -> Curves:
    """Fit more and more random cosine columns to 20 rows, by least squares of minimum norm."""
    task = partial(_median_errors, run.seed)
    errors = np.array(list(engine.map(task, COLUMNS, progress=progress)))
    return Curves(COLUMNS, errors[:, 0], errors[:, 1], NOISE**2)


def _median_errors(seed: int, p: int) -> tuple[float, float]:
    errors = []
    for i in range(N_SETS):
        look()
        rng = np.random.default_rng([seed, i])
        x = 2 * (np.arange(N_ROWS) + rng.uniform(size=N_ROWS)) / N_ROWS - 1
        x_test = rng.uniform(-1, 1, N_TEST)
        rate = rng.normal(0, RATE, COLUMNS[-1])[:p]
        shift = rng.uniform(0, 2 * np.pi, COLUMNS[-1])[:p]
        A, B = (np.cos(np.outer(places, rate) + shift) for places in (x, x_test))
        y = np.sin(np.pi * x) + NOISE * rng.standard_normal(N_ROWS)
        coefficients = np.linalg.pinv(A) @ y
        test_error = ((B @ coefficients - np.sin(np.pi * x_test)) ** 2).mean() + NOISE**2
        errors.append((test_error, ((A @ coefficients - y) ** 2).mean()))
    median = np.median(errors, axis=0)  # a mean would be that of the wildest set
    return float(median[0]), float(median[1])


def plot_descent(data: Curves) -> go.Figure:
    """Draw both errors by the number of columns."""
    figure = _lines(data, "random columns")
    figure.add_vline(x=N_ROWS, line={"dash": "dash", "width": 1.5, "color": MUTED})
    figure.update_xaxes(type="log", tickvals=[1, 2, 5, 10, 20, 50, 100, 300])
    figure.update_yaxes(type="log", range=[-3, np.log10(2 * data.error.max())])
    before = data.error[: data.at.index(N_ROWS)].min()
    peak = data.at[int(np.argmax(data.error))]
    title = (
        f"The error peaks with {peak} columns for {N_ROWS} rows, and falls again to"
        f" {data.error[-1]:.2g}."
    )
    better = "lower than" if data.error[-1] < before else "not below"
    note = (
        "Random cosines, the shortest coefficients of those that fit best; median of 60 sets. "
        f"The end is {better} the first valley, {before:.2g}: a second descent is no promise."
    )
    return _finish(figure, title, note)


def _lines(data: Curves, label: str) -> go.Figure:
    figure = go.Figure()
    lines = (
        ("new rows", data.error, ACCENT, "solid"),
        ("training rows", np.maximum(data.training, 1e-9), MUTED, "dash"),
    )
    for name, values, color, dash in lines:
        figure.add_scatter(
            x=data.at,
            y=values,
            name=name,
            mode="lines+markers",
            line={"color": color, "width": 3, "dash": dash},
            hovertemplate=f"%{{x}}: {name} %{{y:.4g}}<extra></extra>",
        )
    figure.add_hline(y=data.floor, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text=label)
    figure.update_yaxes(title_text="error")
    return figure


def _finish(figure: go.Figure, title: str, note: str) -> go.Figure:
    finish(figure, title, note, 340)
    return figure.update_layout(
        showlegend=True, margin={"b": 90}, legend={"orientation": "h", "y": -0.25}
    )
