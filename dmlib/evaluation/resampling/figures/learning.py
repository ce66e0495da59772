"""Learning curve of the chosen model on the chosen table."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.evaluation.models import title_of
from dmlib.evaluation.resampling.base import Resampling
from dmlib.evaluation.resampling.learning import LearningCurve, learning_curve
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

N_SPLITS = 20
NOTE = (
    f"Mean and standard deviation of {N_SPLITS} splits, 30 % of the rows held out. Dotted: the"
    " smallest size whose error is within a standard error of that of all training rows."
)


def learning_data(run: Run[Problem, Resampling], progress: object) -> tuple[str, LearningCurve]:
    """Train the model of a run on more and more of its rows."""
    X, y = run.problem.training.arguments
    curve = learning_curve(
        run.model.model,
        X,
        y,
        numbers=run.model.NUMBERS,
        n_repetitions=N_SPLITS,
        random_state=run.seed,
        progress=progress,
    )
    return title_of(run.model.model), curve


def plot_learning(data: tuple[str, LearningCurve]) -> go.Figure:
    """Draw both errors by the number of training rows, with their standard deviations."""
    name, curve = data
    figure = go.Figure()
    lines = (
        ("held-out rows", curve.test, ACCENT, "solid"),
        ("training rows", curve.training, MUTED, "dash"),
    )
    for label, errors, color, dash in lines:
        figure.add_scatter(
            x=curve.sizes,
            y=errors.mean(axis=0),
            name=label,
            mode="lines+markers",
            line={"color": color, "width": 3, "dash": dash},
            error_y={"array": errors.std(axis=0, ddof=1), "color": color, "thickness": 1},
            hovertemplate=f"%{{x}} training rows: {label} %{{y:.4g}}<extra></extra>",
        )
    figure.add_vline(x=curve.sufficient, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text="training rows", type="log", tickvals=curve.sizes.tolist())
    figure.update_yaxes(title_text="error", rangemode="tozero")
    finish(figure, _title(name, curve), NOTE, 340)
    return figure.update_layout(
        showlegend=True, margin={"b": 90}, legend={"orientation": "h", "y": -0.25}
    )


def _title(name: str, curve: LearningCurve) -> str:
    mean = curve.test.mean(axis=0)
    largest = int(curve.sizes[-1])
    if curve.sufficient == largest:
        return f"More rows would help {name}: its error still falls, to {mean[-1]:.3g}."
    error = mean[np.flatnonzero(curve.sizes == curve.sufficient)[0]]
    return (
        f"{curve.sufficient} training rows are enough for {name}: error {error:.3g}, with"
        f" {largest} rows {mean[-1]:.3g}."
    )
