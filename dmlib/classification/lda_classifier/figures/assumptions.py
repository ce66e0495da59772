"""The assumptions of discriminant analysis: equal covariance matrices, and normal classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from scipy.stats import chi2

from dmlib.arrays import Floats
from dmlib.classification.covariances import Classes, rank
from dmlib.classification.discriminant import Discriminant
from dmlib.classification.lda_classifier.equality import BoxM, box_m
from dmlib.pictures.figures.style import ACCENT, MUTED, SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem


@dataclass(frozen=True)
class AssumptionsData:
    """Tests of the assumptions on the training rows."""

    names: tuple[str, ...]  # of the classes with training rows
    codes: tuple[int, ...]
    test: BoxM | None  # None where a matrix is singular
    # for each class whose matrix is regular: the sorted squared Mahalanobis distances of its rows,
    # and the quantiles of their chi-squared distribution if the class is normal
    expected: tuple[Floats, ...]
    distances: tuple[Floats, ...]


def assumptions_data(problem: Problem) -> AssumptionsData:
    """Return Box's test and the distances of the rows from the means of their classes.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> from dmlib.problem import prepare
    >>> iris = load("iris").frame
    >>> problem = prepare(iris, list(iris.columns[:4]), target="species", labelled=True)
    >>> round(assumptions_data(problem).test.chi2, 2)  # as biotools and heplots have it in R
    140.94
    """
    training = problem.training
    part = Classes.read(training.X, training.y)
    singles = part.covariances()
    expected, distances = [], []
    for k, matrix in enumerate(singles):
        n = int(part.counts[k])
        if rank(matrix, 1e-6) < len(matrix) or n <= len(matrix):
            expected.append(np.empty(0))
            distances.append(np.empty(0))
            continue
        rows = part.centred[part.codes == k]
        squares = np.einsum("ij,ij->i", rows @ np.linalg.inv(matrix * n / (n - 1)), rows)
        distances.append(np.sort(squares))
        expected.append(chi2.ppf((np.arange(n) + 0.5) / n, len(matrix)))
    codes = tuple(int(code) for code in part.classes)
    names = tuple(problem.classes[code] for code in codes)
    return AssumptionsData(
        names, codes, box_m(singles, part.counts), tuple(expected), tuple(distances)
    )


def assumptions(run: Run[Problem, Discriminant]) -> go.Figure:
    """Draw the tests of the assumptions on the training rows of a run."""
    return plot_assumptions(assumptions_data(run.problem))


def plot_assumptions(data: AssumptionsData) -> go.Figure:
    """Draw the distances against those of normal classes, above the matrices' determinants."""
    figure = make_subplots(rows=2, cols=1, vertical_spacing=0.18, row_heights=[0.6, 0.4])
    top = max((float(each[-1]) for each in data.expected if len(each)), default=1.0)
    figure.add_scatter(
        x=[0, top],
        y=[0, top],
        mode="lines",
        line={"color": MUTED, "dash": "dash"},
        hoverinfo="skip",
        row=1,
        col=1,
    )
    for code, name, x, y in zip(data.codes, data.names, data.expected, data.distances, strict=True):
        marker = {
            "symbol": SYMBOLS[code % len(SYMBOLS)],
            "size": 6,
            "color": class_color(figure, code),
        }
        hover = f"{plain(name)}<br>%{{y:.3g}}, if normal %{{x:.3g}}<extra></extra>"
        figure.add_scatter(
            x=x, y=y, mode="markers", marker=marker, hovertemplate=hover, row=1, col=1
        )
    if data.test is not None:
        figure.add_bar(
            x=[plain(name) for name in data.names],
            y=data.test.log_dets,
            marker={"color": MUTED},
            hovertemplate="%{x}: ln |S| = %{y:.4g}<extra></extra>",
            row=2,
            col=1,
        )
        figure.add_hline(
            y=data.test.pooled_log_det, line={"color": ACCENT, "width": 2}, row=2, col=1
        )
    figure.update_xaxes(title_text="χ² quantile", row=1, col=1)
    figure.update_yaxes(title_text="squared distance", rangemode="tozero", row=1, col=1)
    figure.update_yaxes(title_text="ln |S|", row=2, col=1)
    title = "A covariance matrix is singular, so there is no test of equality."
    if data.test is not None:
        title = f"{data.test.sentence}."
    note = (
        "Above: squared Mahalanobis distances of the rows from their class mean; normal "
        "classes lie on the dashed line. Below: ln of the determinant of each class's "
        "matrix; blue: pooled. Box's test rejects easily where classes are not normal."
    )
    return finish(figure, title, note, 560)
