"""The error by the number of training rows, and by more columns than rows."""

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
from dmlib.trace import look

SIZES = (20, 25, 30, 40, 50, 70, 100, 140, 200)
ROWS, SETS = 20, 60
COLUMNS = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 19, 20, 21, 22, 24, 28, 35, 50, 80, 140, 300)
NOISE = 0.3
RATE = 18.0  # standard deviation of the frequencies: waves about as long as the gaps between rows
FRESH = 200


@dataclass(frozen=True, eq=False)
class Curves:
    """Errors along a sweep."""

    at: tuple[int, ...]  # rows, or columns
    error: Floats  # on new rows
    training: Floats  # on training rows
    floor: float  # the error of the truth itself


def learning_data(run: Run, progress: Any) -> Curves:
    """Simulate training sets of several sizes."""
    X, y = run.problem.training.arguments
    task = partial(_learned, clone(run.model), X, y, run.seed)
    found = np.array(list(engine.map(task, SIZES, progress=progress)))
    return Curves(SIZES, found[:, 0], found[:, 1], float(found[0, 2]))


def _learned(model: BiasVariance, X: Any, y: Any, seed: int, n: int) -> tuple[float, float, float]:
    found = model.set_params(n_samples=n, random_state=seed).fit(X, y)
    return found.error_, found.train_error_, found.noise_


def plot_learning(data: Curves) -> go.Figure:
    """Draw both errors by the number of rows."""
    figure = _lines(data, "training rows")
    figure.update_xaxes(type="log", tickvals=list(data.at))
    gap = data.error[0] - data.training[0], data.error[-1] - data.training[-1]
    title = (
        f"From {data.at[0]} to {data.at[-1]} rows, the gap of both errors falls from {gap[0]:.3g}"
        f" to {gap[1]:.3g}."
    )
    note = "More rows reduce the variance, not the bias. Dotted: the noise, the irreducible error."
    return _finish(figure, title, note)


def descent_data(run: Run, progress: Any) -> Curves:
    """Fit more and more random cosine columns to 20 rows, by the shortest of the coefficient vectors that fit best."""
    found = np.array(list(engine.map(partial(_descended, run.seed), COLUMNS, progress=progress)))
    return Curves(COLUMNS, found[:, 0], found[:, 1], NOISE**2)


def _descended(seed: int, p: int) -> tuple[float, float]:
    errors = []
    for i in range(SETS):
        look()
        rng = np.random.default_rng([seed, i])
        x, fresh = (
            2 * (np.arange(ROWS) + rng.uniform(size=ROWS)) / ROWS - 1,
            rng.uniform(-1, 1, FRESH),
        )
        rate, shift = (
            rng.normal(0, RATE, COLUMNS[-1])[:p],
            rng.uniform(0, 2 * np.pi, COLUMNS[-1])[:p],
        )
        A, B = (np.cos(np.outer(at, rate) + shift) for at in (x, fresh))
        y, truth = np.sin(np.pi * x) + NOISE * rng.standard_normal(ROWS), np.sin(np.pi * fresh)
        coefficients = np.linalg.pinv(A) @ y
        errors.append(
            (
                ((B @ coefficients - truth) ** 2).mean() + NOISE**2,
                ((A @ coefficients - y) ** 2).mean(),
            )
        )
    middle = np.median(errors, axis=0)  # a mean would be that of the wildest set alone
    return float(middle[0]), float(middle[1])


def plot_descent(data: Curves) -> go.Figure:
    """Draw both errors by the number of columns."""
    figure = _lines(data, "random columns")
    figure.add_vline(x=ROWS, line={"dash": "dash", "width": 1.5, "color": MUTED})
    figure.update_xaxes(type="log", tickvals=[1, 2, 5, 10, 20, 50, 100, 300])
    figure.update_yaxes(type="log", range=[-3, np.log10(2 * data.error.max())])
    before = data.error[: data.at.index(ROWS)].min()
    peak = data.at[int(np.argmax(data.error))]
    title = (
        f"The error peaks with {peak} columns for {ROWS} rows, and falls again to"
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
