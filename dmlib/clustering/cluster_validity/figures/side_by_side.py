"""Up to four clusterings of the same rows, side by side, each with its measures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import MEASURE_NAMES, ClusterValidity
from dmlib.clustering.cluster_validity.clusterings import clustering_of, name_of
from dmlib.clustering.cluster_validity.scene import compared_names, judged
from dmlib.pictures.figures.style import MUTED, SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MEASURES_DRAWN = (
    "silhouette",
    "davies_bouldin",
    "calinski_harabasz",
    "dunn",
    "correlation",
    "purity",
    "nmi",
    "adjusted_rand",
)
"""The measures beside each picture."""


@dataclass(frozen=True)
class SideBySideData:
    """Clusterings of the same rows."""

    points: NDArray[np.float64]  # (n_samples, 2): the rows
    axes: tuple[str, str]  # the names of the axes
    names: tuple[str, ...]  # the clusterings that could be run, the one on the stage first
    labels: tuple[NDArray[np.integer], ...]  # (n_samples,): their clusters; -1 for noise
    measures: tuple[dict[str, float], ...]  # their measures by name
    refused: tuple[str, ...]  # why others could not be run, a sentence each


def side_by_side_data(run: Run[Problem, ClusterValidity]) -> SideBySideData:
    """Cluster the rows as often as the reader compares.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import ClusterValidity
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 1.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> side_by_side_data(Run.of(problem, ClusterValidity("kmedoids", 2))).names
    ('k-medoids', 'random labels', 'agglomerative')
    """
    problem, fitted = run.problem, run.fitted
    names = [name_of(run.model.clustering)]
    labels, measures = [fitted.labels_], [fitted.measures_]
    refused: list[str] = []
    for name in compared_names(run):
        result = judged(run, name)
        if isinstance(result, str):
            refused.append(result)
            continue
        model = clustering_of(name, run.model.n_clusters, run.seed)
        names.append(name_of(name))
        labels.append(np.asarray(model.fit(problem.X).labels_))
        measures.append(result)
    axes = (problem.plane.labels[0], problem.plane.labels[1])
    return SideBySideData(
        problem.points, axes, tuple(names), tuple(labels), tuple(measures), tuple(refused)
    )


def side_by_side(run: Run[Problem, ClusterValidity]) -> go.Figure:
    """Draw the clusterings that are compared."""
    return plot_side_by_side(side_by_side_data(run))


def plot_side_by_side(data: SideBySideData) -> go.Figure:
    """Draw the rows once for each clustering, and a table of their measures below."""
    n = len(data.names)
    figure = make_subplots(
        rows=2,
        cols=n,
        subplot_titles=data.names,
        horizontal_spacing=0.04,
        vertical_spacing=0.12,
        row_heights=[0.5, 0.5],
        specs=[[{}] * n, [{"type": "table", "colspan": n}, *[None] * (n - 1)]],
    )
    for column, labels in enumerate(data.labels, start=1):
        figure.add_trace(_rows(figure, data.points, labels), row=1, col=column)
        figure.update_xaxes(title_text=plain(data.axes[0]), showgrid=False, row=1, col=column)
    figure.update_yaxes(title_text=plain(data.axes[1]), row=1, col=1)
    figure.add_trace(_table(data), row=2, col=1)
    silhouettes = np.array([measures.get("silhouette", np.nan) for measures in data.measures])
    title = "No silhouette is defined."
    if np.isfinite(silhouettes).any():
        best = data.names[int(np.nanargmax(silhouettes))]
        title = f"The largest mean silhouette is that of {best}."
    note = "Same rows; other clusterings with their defaults, and the same k where they take one."
    return finish(figure, title, " ".join([note, *data.refused]), 560)


def _rows(figure: go.Figure, points: Floats, labels: NDArray[Any]) -> go.Scatter:
    """Return the rows in the colours and symbols of their clusters."""
    looks = {-1: (MUTED, "circle-open", "noise")}
    for code in range(labels.max() + 1):
        color, symbol = class_color(figure, code) or MUTED, SYMBOLS[code % len(SYMBOLS)]
        looks[code] = color, symbol, f"cluster {code + 1}"
    colors, symbols, names = zip(*(looks[code] for code in labels.tolist()), strict=True)
    return go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        marker={"size": 5, "color": colors, "symbol": symbols},
        text=names,
        hovertemplate="%{text}<extra></extra>",
    )


def _table(data: SideBySideData) -> go.Table:
    """Return the measures that are defined for a clustering at least."""
    values = np.array([[m.get(name, np.nan) for name in MEASURES_DRAWN] for m in data.measures])
    is_defined = np.isfinite(values).any(axis=0)
    names = [MEASURE_NAMES[name] for name in compress(MEASURES_DRAWN, is_defined)]
    cells = [names, *([_brief(value) for value in row] for row in values[:, is_defined])]
    clear = {
        "fill": {"color": "rgba(0,0,0,0)"},
        "line": {"color": MUTED},
        "align": ["left", "right"],
        "height": 24,
    }
    return go.Table(header={"values": ["", *data.names], **clear}, cells={"values": cells, **clear})


def _brief(value: float) -> str:
    return "–" if not np.isfinite(value) else f"{value:.4g}"
