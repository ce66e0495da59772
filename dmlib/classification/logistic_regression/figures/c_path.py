"""The coefficients and the losses of a logistic regression against C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from sklearn.base import clone
from sklearn.metrics import log_loss

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.classification.logistic_regression.scene import features_of
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem

GRID = np.logspace(-4, 4, 25)
MAX_CURVES = 12
HEIGHT = 450  # pixels


@dataclass(frozen=True)
class CPathData:
    """Fits for a range of C."""

    C: Floats  # (n_fits,)
    # (n_fits, n_features): the coefficients, each times the standard deviation of its column
    coef: Floats
    names: tuple[str, ...]  # the columns
    # (n_fits,): the mean log-loss; None without a test
    training: Floats
    test: Floats | None
    current: float  # the C on the screen


def c_path_data(problem: Problem, model: LogisticRegression, names: Sequence[str]) -> CPathData:
    """Fit a model by Newton's method for each C; ``names`` are the columns."""
    training, testing = problem.training, problem.testing
    fits = [clone(model).set_params(C=float(C), solver="newton", max_iter=100) for C in GRID]
    for fit in fits:
        fit.fit(training.data, np.asarray(training.y))
    spread = training.X[:, : len(names)].std(axis=0)
    coef = np.array([fit.coef_[0] * spread for fit in fits])
    losses = np.array([_loss(fit, training) for fit in fits])
    test_losses = None
    if testing is not None:
        test_losses = np.array([_loss(fit, testing) for fit in fits])
    return CPathData(GRID, coef, tuple(names), losses, test_losses, float(model.C))


def _loss(model: LogisticRegression, part: Problem) -> float:
    counts = part.X[:, -1] if model.grouped else None
    return float(
        log_loss(part.y, model.predict_proba(part.data), sample_weight=counts, labels=[0, 1])
    )


def c_path(run: Run[Problem, LogisticRegression]) -> go.Figure:
    """Draw the coefficients against C."""
    return plot_c_path(c_path_data(run.problem, run.fitted, features_of(run.problem, run.model)))


def plot_c_path(data: CPathData) -> go.Figure:
    """Draw the coefficients above the losses, with the current C marked."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    order = np.argsort(-np.abs(data.coef[-1]), kind="stable")[:MAX_CURVES]
    for j in order:
        figure.add_scatter(
            x=data.C,
            y=data.coef[:, j],
            mode="lines",
            name=plain(data.names[j]),
            hovertemplate=f"{plain(data.names[j])}<br>C = %{{x:.3g}}<br>%{{y:.4g}}<extra></extra>",
            row=1,
            col=1,
        )
    for name, loss, color in (("training", data.training, MUTED), ("test", data.test, ACCENT)):
        if loss is not None:
            figure.add_scatter(
                x=data.C,
                y=loss,
                mode="lines",
                line={"color": color, "width": 3},
                showlegend=False,
                hovertemplate=f"{name}<br>C = %{{x:.3g}}<br>%{{y:.5g}}<extra></extra>",
                row=2,
                col=1,
            )
    if np.isfinite(data.current):
        figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(type="log", exponentformat="power", showgrid=False)
    figure.update_xaxes(title_text="C", row=2, col=1)
    figure.update_yaxes(title_text="coefficient · std", row=1, col=1)
    figure.update_yaxes(title_text="mean log-loss", row=2, col=1)
    figure = finish(figure, _title(data), _note(data), HEIGHT)
    legend = {"orientation": "h", "x": 0, "y": -60 / HEIGHT, "yanchor": "top"}
    return figure.update_layout(showlegend=True, margin_b=100, legend=legend)


def _title(data: CPathData) -> str:
    if data.test is None:
        return "The smaller C, the more the penalty shrinks the coefficients towards zero."
    best = float(data.C[data.test.argmin()])
    return f"The test loss is smallest, {data.test.min():.4g}, at C = {best:.3g}."


def _note(data: CPathData) -> str:
    sentences = ["Lower half: the training."]
    if data.test is not None:
        sentences = ["Lower half: blue is the test, grey the training."]
    if np.isfinite(data.current):
        sentences.append(f"Dotted: current C = {data.current:g}.")
    else:
        sentences.append("Current C = ∞, beyond the picture.")
    if len(data.names) > MAX_CURVES:
        sentences.append(f"The {MAX_CURVES} largest of {len(data.names)} coefficients.")
    return " ".join(sentences)
