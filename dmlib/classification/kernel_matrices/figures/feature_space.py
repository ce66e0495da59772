"""The rows in the feature space of a kernel, along its first two principal directions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernel_matrices.algorithm import KernelMatrix
from dmlib.pictures.figures.style import SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem


@dataclass(frozen=True)
class FeatureSpaceData:
    """Rows along the first two eigenvectors of their kernel matrix."""

    places: Floats  # (n_rows, 2): their inner products approximate K
    y: NDArray[np.intp]  # (n_rows,): known classes, or zeros
    classes: tuple[str, ...]
    rows: NDArray[np.intp]  # (n_rows,): the number of each row in the data, from 0
    share: float  # of the sum of all |eigenvalues| that the two have


def feature_space_data(run: Run[Problem, KernelMatrix]) -> FeatureSpaceData:
    """Scale the first two eigenvectors by the roots of their eigenvalues."""
    problem = run.problem
    values, vectors = np.linalg.eigh(run.fitted.kernel_matrix_)
    first = np.zeros((len(values), 2))
    top = vectors[:, ::-1][:, :2] * np.sqrt(np.maximum(values[::-1][:2], 0))
    first[:, : top.shape[1]] = top
    y = np.zeros(len(values), int) if problem.y is None else np.asarray(problem.y)
    share = float(np.maximum(values[::-1][:2], 0).sum() / (np.abs(values).sum() or 1.0))
    return FeatureSpaceData(first, y, tuple(problem.classes) or ("rows",), problem.rows, share)


def feature_space(run: Run[Problem, KernelMatrix]) -> go.Figure:
    """Draw the rows of a run in feature space."""
    return plot_feature_space(feature_space_data(run))


def plot_feature_space(data: FeatureSpaceData) -> go.Figure:
    """Draw the rows; a click on one selects it."""
    figure = go.Figure()
    for code, label in enumerate(data.classes):
        of_class = data.y == code
        marker = {
            "symbol": SYMBOLS[code % len(SYMBOLS)],
            "size": 7,
            "color": class_color(figure, code),
            "opacity": 0.7,
        }
        x, y = data.places[of_class].T
        rows = data.rows[of_class]
        hover = f"row %{{text}}, {plain(label)}<extra></extra>"
        figure.add_scatter(
            x=x,
            y=y,
            mode="markers",
            marker=marker,
            text=rows + 1,
            customdata=rows,
            hovertemplate=hover,
        )
    figure.update_xaxes(title_text="√λ₁ v₁")
    figure.update_yaxes(title_text="√λ₂ v₂")
    title = (
        f"Two directions hold {percent(data.share)} of the "
        "rows' spread around the origin of feature space."
    )
    return finish(
        figure, title, "Inner products of these points approximate the kernel values.", 460
    )
