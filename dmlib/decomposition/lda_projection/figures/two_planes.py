"""The rows on the axes of the discriminant analysis, and on the principal components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.classification.lda_classifier.algorithm import LinearDiscriminantAnalysis
from dmlib.decomposition.lda_projection.fisher import Scatter
from dmlib.pictures.figures.style import SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_ROWS = 1000
BINS = 40


@dataclass(frozen=True)
class PlanesData:
    """Two projections of the same rows."""

    y: NDArray[np.intp]  # (n_rows,): class codes
    classes: tuple[str, ...]
    discriminant: Floats  # (n_rows, 1 or 2): the first axes
    components: Floats  # (n_rows, 1 or 2): as many principal components
    ratios: tuple[float, float]  # Fisher's ratio along the first of each


def planes_data(run: Run[Problem, LinearDiscriminantAnalysis]) -> PlanesData:
    """Project the rows of a run onto its first two axes, and onto as many principal components."""
    problem, scatter = run.problem, Scatter.of(run.trace.steps[-1])
    sample = np.arange(0, len(problem.X), -(-len(problem.X) // MAX_ROWS))
    rows = problem.X[sample] - scatter.mean
    n_axes = min(2, len(run.fitted.explained_variance_ratio_))
    axes = run.fitted.scalings_[:, :n_axes]
    _, vectors = np.linalg.eigh(scatter.within + scatter.between)
    components = vectors[:, ::-1][:, : max(axes.shape[1], 1)]
    axis_ratio = scatter.ratio(axes[:, 0]) if axes.size else 0.0
    return PlanesData(
        y=np.asarray(problem.y)[sample],
        classes=problem.classes,
        discriminant=rows @ axes,
        components=rows @ components,
        ratios=(axis_ratio, scatter.ratio(components[:, 0])),
    )


def two_planes(run: Run[Problem, LinearDiscriminantAnalysis]) -> go.Figure:
    """Draw both projections of a run."""
    return plot_two_planes(planes_data(run))


def plot_two_planes(data: PlanesData) -> go.Figure:
    """Draw the projections one above the other: as points, or one axis as a histogram."""
    figure = make_subplots(rows=2, cols=1, vertical_spacing=0.16)
    projections = {"axis": data.discriminant, "component": data.components}
    for row, (name, places) in enumerate(projections.items(), start=1):
        for code, label in enumerate(data.classes):
            _class(figure, places[data.y == code], code, label, row)
        y_title = f"{name} 2" if places.shape[1] > 1 else "rows"
        figure.update_xaxes(title_text=f"{name} 1", row=row, col=1)
        figure.update_yaxes(title_text=y_title, row=row, col=1)
    figure.update_layout(barmode="overlay")
    axis, component = data.ratios
    title = f"Fisher's ratio is {axis:.4g} along axis 1, and {component:.4g} along component 1."
    note = (
        "Above: discriminant axes (supervised); along them the variance within the classes is 1."
        " Below: principal components (unsupervised)."
    )
    return finish(figure, title, note, 640)


def _class(figure: go.Figure, places: Floats, code: int, label: str, row: int) -> None:
    color, hover = class_color(figure, code), f"{plain(label)}<extra></extra>"
    if places.shape[1] > 1:
        marker = {"symbol": SYMBOLS[code % len(SYMBOLS)], "size": 6, "color": color, "opacity": 0.7}
        x, y = places.T
        figure.add_scatter(
            x=x, y=y, mode="markers", marker=marker, hovertemplate=hover, row=row, col=1
        )
    elif places.shape[1]:
        marker = {"color": color, "opacity": 0.6}
        figure.add_histogram(
            x=places[:, 0], nbinsx=BINS, marker=marker, hovertemplate=hover, row=row, col=1
        )
