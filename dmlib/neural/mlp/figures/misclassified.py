"""The rows that a network gets wrong: as pictures where they are some, else the scores of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.neural.mlp.figures.weights import side_of
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run

MOST, ACROSS = 32, 8  # pictures, and in a row
ROOM = 22  # of the name of a class: letters


@dataclass(frozen=True)
class Errors:
    """Rows of the data that are misclassified, or whose numbers are furthest off, the worst first."""

    rows: list[int]  # from 1, as the table has them
    true: list[str]
    predicted: list[str]
    size: list[float]  # how sure the network is of the wrong class; how far off the number is
    images: list[Floats]  # empty where rows are no pictures
    n_all: int
    what: str


def misclassified_data(run: Run) -> Errors:
    """Return the errors of the fitted network on the test rows, or on all without a test set."""
    problem = run.problem
    part = problem.testing or problem.training
    rows = np.asarray(part.X, float)
    side = side_of(rows.shape[1])
    if problem.classes and hasattr(run.fitted, "classes_"):
        said, sure = run.fitted.certainty(rows)
        wrong = np.flatnonzero(said != part.y)
        order = wrong[np.argsort(-sure[wrong], kind="stable")][:MOST]
        true, predicted = ([problem.classes[codes[i]] for i in order] for codes in (part.y, said))
        size, n_all = sure, len(wrong)
    else:
        said = run.fitted.predict(rows)
        size = np.abs(said - np.asarray(part.y, float))
        order = np.argsort(-size, kind="stable")[:MOST]
        true, predicted = [f"{part.y[i]:.4g}" for i in order], [f"{said[i]:.4g}" for i in order]
        n_all = len(rows)
    images = [part.unscaled(rows[i : i + 1])[0].reshape(side, side) for i in order] if side else []
    what = "test" if problem.testing is not None else "training"
    numbers = [int(part.rows[i]) + 1 for i in order]
    return Errors(numbers, true, predicted, [float(size[i]) for i in order], images, n_all, what)


def misclassified(run: Run) -> go.Figure:
    """Draw the rows that are misclassified, or whose numbers are furthest off."""
    return plot_misclassified(misclassified_data(run))


def plot_misclassified(errors: Errors) -> go.Figure:
    """Draw wrong rows as pictures, or as bars as long as the error."""
    if not errors.rows:
        figure = go.Figure()
        figure.update_xaxes(visible=False)
        figure.update_yaxes(visible=False)
        return finish(figure, f"No {errors.what} row is misclassified.", "", 200)
    texts = [
        f"row {r}: {t} → {p}"
        for r, t, p in zip(errors.rows, errors.true, errors.predicted, strict=True)
    ]
    shown = (
        f"{len(errors.rows)} of {errors.n_all}"
        if errors.n_all > len(errors.rows)
        else f"{errors.n_all}"
    )
    title = f"{shown} {errors.what} rows, the largest errors first"
    if errors.images:
        return _pictures(
            errors,
            [f"{t} → {p}" for t, p in zip(errors.true, errors.predicted, strict=True)],
            title,
        )
    figure = go.Figure(go.Bar(x=errors.size, y=texts, orientation="h", marker={"color": ACCENT}))
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(title="Predicted probability, or absolute residual", color=MUTED)
    return finish(figure, title, "Class or number → prediction.", 22 * len(texts) + 160)


def _pictures(errors: Errors, texts: list[str], title: str) -> go.Figure:
    columns = min(len(texts), ACROSS)
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
