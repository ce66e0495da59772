"""Misclassified rows, or those with the largest residuals: as images, or as bars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.figures.weights import side_of
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_ROWS = 32
MAX_COLUMNS = 8  # images beside each other


@dataclass(frozen=True)
class Errors:
    """Misclassified rows, or those with the largest residuals, the largest errors first."""

    rows: list[int]  # from 1, as the table has them
    true: list[str]
    predicted: list[str]
    size: list[float]  # the confidence in the wrong class, or the absolute residual
    images: list[Floats]  # empty where rows are no images
    n_all: int
    part: str  # the name of the set: training or test


def misclassified_data(run: Run[Problem, MLPClassifier | MLPRegressor]) -> Errors:
    """Return the errors of the fitted network on the test rows, or on all without a test set."""
    problem = run.problem
    part = problem.testing or problem.training
    rows, y = np.asarray(part.X, float), np.asarray(part.y)
    side = side_of(rows.shape[1])
    if isinstance(run.fitted, MLPClassifier):
        predicted, size = run.fitted.certainty(rows)
        wrong = np.flatnonzero(predicted != y)
        order = wrong[np.argsort(-size[wrong], kind="stable")][:MAX_ROWS]
        n_all = len(wrong)
        text: Callable[[Any], str] = problem.classes.__getitem__
    else:
        predicted = run.fitted.predict(rows)
        size = np.abs(predicted - y.astype(float))
        order = np.argsort(-size, kind="stable")[:MAX_ROWS]
        n_all = len(rows)
        text = "{:.4g}".format
    images: list[Floats] = []
    if side:
        images = [part.unscaled(rows[i : i + 1])[0].reshape(side, side) for i in order]
    return Errors(
        rows=[int(row) + 1 for row in part.rows[order]],
        true=[text(y[i]) for i in order],
        predicted=[text(predicted[i]) for i in order],
        size=[float(size[i]) for i in order],
        images=images,
        n_all=n_all,
        part="test" if problem.testing is not None else "training",
    )


def misclassified(run: Run[Problem, MLPClassifier | MLPRegressor]) -> go.Figure:
    """Draw the misclassified rows, or those with the largest residuals."""
    return plot_misclassified(misclassified_data(run))


def plot_misclassified(errors: Errors) -> go.Figure:
    """Draw misclassified rows as images, or as bars as long as the error."""
    if not errors.rows:
        figure = go.Figure()
        figure.update_xaxes(visible=False)
        figure.update_yaxes(visible=False)
        return finish(figure, f"No {errors.part} row is misclassified.", "", 200)
    n_rows = f"{errors.n_all}"
    if errors.n_all > len(errors.rows):
        n_rows = f"{len(errors.rows)} of {errors.n_all}"
    title = f"{n_rows} {errors.part} rows, the largest errors first"
    texts = [f"{true} → {p}" for true, p in zip(errors.true, errors.predicted, strict=True)]
    if errors.images:
        return _image_figure(errors, texts, title)
    texts = [f"row {row}: {text}" for row, text in zip(errors.rows, texts, strict=True)]
    figure = go.Figure(go.Bar(x=errors.size, y=texts, orientation="h", marker={"color": ACCENT}))
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(title="Predicted probability, or absolute residual", color=MUTED)
    return finish(figure, title, "Class or number → prediction.", 22 * len(texts) + 160)


def _image_figure(errors: Errors, texts: list[str], title: str) -> go.Figure:
    columns = min(len(texts), MAX_COLUMNS)
    rows = ceil(len(texts) / columns)
    figure = make_subplots(
        rows=rows, cols=columns, subplot_titles=texts, vertical_spacing=0.16 / rows
    )
    for i, image in enumerate(errors.images):
        figure.add_heatmap(
            z=image,
            colorscale="Greys",
            showscale=False,
            row=i // columns + 1,
            col=i % columns + 1,
            hovertemplate=f"row {errors.rows[i]}<extra></extra>",
        )
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False, autorange="reversed")
    return finish(figure, title, "Class → prediction.", 130 * rows + 130)
