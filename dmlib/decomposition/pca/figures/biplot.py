"""Scores and loadings: the rows in the first components, and the columns as their arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.decomposition.pca.algorithm import PCA
from dmlib.pictures.figures.scatter_3d import plot_scatter_3d
from dmlib.pictures.figures.style import MUTED, SYMBOLS, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

MAX_ARROWS = 10  # columns with an arrow: those with the longest
MAX_COLUMNS, MAX_COMPONENTS = 30, 8  # of the table of loadings
REACH = 0.85  # of the scores' range that the longest arrow gets


@dataclass(frozen=True)
class BiplotData:
    """Scores and loadings of a fitted model."""

    # (n_samples, n_components): the projections of the rows, as the model gives them
    scores: NDArray[np.float64]
    # (n_components, n_features): the entries of the components times their standard deviations
    loadings: NDArray[np.float64]
    # (n_components, n_features): the correlations of the columns with the components; 0 for a
    # constant column
    correlations: NDArray[np.float64]
    shares: NDArray[np.float64]  # (n_components,): the shares of the variance
    features: tuple[str, ...]  # names of the columns
    codes: NDArray[np.intp]  # (n_samples,): known classes; zeros where there are none
    classes: tuple[str, ...]  # their names
    rows: NDArray[np.intp]  # (n_samples,): numbers of the rows in the table, from 1


def biplot_data(model: PCA, problem: Problem) -> BiplotData:
    """Return scores, loadings and correlations of a fitted model.

    References
    ----------
    K. R. Gabriel (1971), The biplot graphic display of matrices with application to principal
    component analysis.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [4.0, -4.0, -1.5, 1.5], "b": [3.0, -3.0, 2.0, -2.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> data = biplot_data(PCA().fit(problem.X), problem)
    >>> data.correlations.round(3).tolist()
    [[0.936, 0.832], [-0.351, 0.555]]
    """
    loadings = model.components_ * np.sqrt(model.explained_variance_)[:, None]
    deviations = problem.X.std(axis=0, ddof=1) / model.scale_
    correlations = np.divide(
        loadings, deviations, out=np.zeros_like(loadings), where=deviations > 0
    )
    return BiplotData(
        scores=model.transform(problem.X),
        loadings=loadings,
        correlations=correlations,
        shares=model.explained_variance_ratio_,
        features=problem.features,
        codes=np.zeros(len(problem.X), np.intp) if problem.y is None else problem.y,
        classes=problem.classes,
        rows=problem.rows + 1,
    )


def _axis(data: BiplotData, j: int) -> str:
    return f"component {j + 1} ({percent(data.shares[j])})" if j < len(data.shares) else "not kept"


def _padded(rows: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return the first n columns, zeros where there are fewer."""
    return np.pad(rows[:, :n], ((0, 0), (0, max(0, n - rows.shape[1]))))


def _first(data: BiplotData, n: int) -> str:
    """Begin the sentence on the first n components, or as many as are kept."""
    n = min(n, len(data.shares))
    return "The first component shows" if n == 1 else f"The first {n} components show"


def _groups(data: BiplotData) -> Sequence[tuple[int, str, NDArray[np.bool_]]]:
    """Return code, name and members of each class that occurs."""
    names = [plain(name) for name in data.classes] or ["rows"]
    return [(int(code), names[code], data.codes == code) for code in np.unique(data.codes)]


def biplot(run: Run[Problem, PCA]) -> go.Figure:
    """Draw rows and columns in one picture."""
    return plot_biplot(biplot_data(run.fitted, run.problem))


def loadings(run: Run[Problem, PCA]) -> go.Figure:
    """Draw the correlation of each column with each component."""
    return plot_loadings(biplot_data(run.fitted, run.problem))


def scores_3d(run: Run[Problem, PCA]) -> go.Figure:
    """Draw the scores of three components."""
    return plot_scores_3d(biplot_data(run.fitted, run.problem))


def plot_biplot(data: BiplotData) -> go.Figure:
    """Draw the scores on the first two components, and the columns as arrows.

    The arrows are stretched to the size of the scores; their directions and their lengths against
    each other count.
    """
    scores, ends = _padded(data.scores, 2), _padded(data.loadings.T, 2)
    figure = go.Figure()
    for code, name, members in _groups(data):
        figure.add_scatter(
            x=scores[members, 0],
            y=scores[members, 1],
            mode="markers",
            name=name,
            marker={"symbol": SYMBOLS[code % len(SYMBOLS)], "size": 7, "opacity": 0.75},
            customdata=data.rows[members],
            hovertemplate=f"row %{{customdata}} · {name}<br>%{{x:.4g}}, %{{y:.4g}}<extra></extra>",
        )
    longest = np.argsort(-np.linalg.norm(ends, axis=1), kind="stable")[:MAX_ARROWS]
    room = np.abs(scores).max(axis=0)
    reach = np.abs(ends).max(axis=0)
    factor = REACH * float(np.min(np.divide(room, reach, out=np.full(2, np.inf), where=reach > 0)))
    coordinates = {"xref": "x", "yref": "y", "axref": "x", "ayref": "y"}
    arrow = {"arrowhead": 2, "arrowwidth": 1.6, "arrowcolor": MUTED}
    for j in longest:
        x, y = map(float, ends[j] * factor)
        figure.add_annotation(x=x, y=y, ax=0, ay=0, text="", **coordinates, **arrow)
        figure.add_annotation(
            x=x,
            y=y,
            text=plain(data.features[j]),
            showarrow=False,
            xanchor="left" if x >= 0 else "right",
            yanchor="bottom" if y >= 0 else "top",
        )
    lines = {"zeroline": True, "zerolinecolor": MUTED, "showgrid": False}
    figure.update_xaxes(title_text=_axis(data, 0), **lines)
    figure.update_yaxes(title_text=_axis(data, 1), **lines)
    longest_only = f" (the {MAX_ARROWS} longest)" if len(data.features) > MAX_ARROWS else ""
    title = f"{_first(data, 2)} {percent(data.shares[:2].sum())} of the variance."
    arrows = f"Arrows{longest_only}: columns; a row far along an arrow has a large value there."
    note = f"Points: rows. {arrows}"
    finish(figure, title, note, 460)
    return figure.update_layout(
        showlegend=bool(data.classes), legend={"orientation": "h", "y": -0.16}
    )


def plot_scores_3d(data: BiplotData) -> go.Figure:
    """Draw the scores on the first three components, to be turned with the mouse."""
    title = f"{_first(data, 3)} {percent(data.shares[:3].sum())} of the variance."
    note = (
        "Drag to turn."
        if data.scores.shape[1] >= 3
        else "Keep a third component, of three columns or more, to leave the plane."
    )
    axes = [_axis(data, j) for j in range(3)]
    scores = _padded(data.scores, 3)
    return plot_scatter_3d(scores, axes, _groups(data), data.rows, title=title, note=note)


def plot_loadings(data: BiplotData) -> go.Figure:
    """Draw the correlation of every column with every component."""
    n_columns = min(len(data.features), MAX_COLUMNS)
    values = data.correlations[:MAX_COMPONENTS, :n_columns].T
    names = [plain(name) for name in data.features[:n_columns]]
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=[f"{j + 1}" for j in range(values.shape[1])],
            y=names,
            zmin=-1,
            zmax=1,
            colorscale="RdBu",
            texttemplate="%{z:.2f}" if n_columns <= 20 else None,
            hovertemplate="%{y}, component %{x}: %{z:.3f}<extra></extra>",
            xgap=2,
            ygap=2,
        )
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(title_text="component", type="category", showgrid=False)
    strongest = int(np.abs(values[:, 0]).argmax())
    title = f"Component 1 correlates most with {names[strongest]}: r = {values[strongest, 0]:.2f}."
    note = (
        "Squared and summed along a row: the share of that column's variance that the kept"
        " components explain."
    )
    if n_columns < len(data.features):
        note += f" The first {n_columns} of {len(data.features)} columns."
    finish(figure, title, note, 120 + 24 * n_columns)
    return figure.update_layout(margin_l=150)
