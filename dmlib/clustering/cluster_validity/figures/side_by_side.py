"""Up to four clusterings of the same rows, side by side, each with its measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.clustering.cluster_validity.algorithm import MEASURE_NAMES
from dmlib.clustering.cluster_validity.clusterings import clustering_of, name_of
from dmlib.clustering.cluster_validity.scene import compared_names, judged
from dmlib.pictures.figures.style import MUTED, SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run

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
    """Clusterings of the same rows.

    Attributes
    ----------
    points : ndarray of shape (n_samples, 2)
        The rows.
    axes : tuple of str
        The names of the axes.
    names : tuple of str
        The clusterings that could be run, the one on the stage first.
    labels : tuple of ndarray of shape (n_samples,)
        Their clusters; -1 for noise.
    measures : tuple of dict
        Their measures by name.
    refused : tuple of str
        Why others could not be run, a sentence each.
    """

    points: NDArray[np.float64]
    axes: tuple[str, str]
    names: tuple[str, ...]
    labels: tuple[NDArray[np.integer], ...]
    measures: tuple[dict[str, float], ...]
    refused: tuple[str, ...]


def side_by_side_data(run: Run) -> SideBySideData:
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


def side_by_side(run: Run) -> go.Figure:
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
        colors = [MUTED if code < 0 else class_color(figure, int(code)) or MUTED for code in labels]
        symbols = ["circle-open" if code < 0 else SYMBOLS[code % len(SYMBOLS)] for code in labels]
        figure.add_scatter(
            x=data.points[:, 0],
            y=data.points[:, 1],
            mode="markers",
            marker={"size": 5, "color": colors, "symbol": symbols},
            text=["noise" if code < 0 else f"cluster {code + 1}" for code in labels],
            hovertemplate="%{text}<extra></extra>",
            row=1,
            col=column,
        )
        figure.update_xaxes(title_text=plain(data.axes[0]), showgrid=False, row=1, col=column)
    figure.update_yaxes(title_text=plain(data.axes[1]), row=1, col=1)
    names = [
        name
        for name in MEASURES_DRAWN
        if any(np.isfinite(m.get(name, np.nan)) for m in data.measures)
    ]
    cells = [[MEASURE_NAMES[name] for name in names]]
    cells += [[_brief(measures.get(name, np.nan)) for name in names] for measures in data.measures]
    clear = {
        "fill": {"color": "rgba(0,0,0,0)"},
        "line": {"color": MUTED},
        "align": ["left", "right"],
        "height": 24,
    }
    figure.add_trace(
        go.Table(header={"values": ["", *data.names], **clear}, cells={"values": cells, **clear}),
        row=2,
        col=1,
    )
    best = [
        name
        for name, measures in zip(data.names, data.measures, strict=True)
        if _best(measures, data)
    ]
    title = "No silhouette is defined."
    if best:
        title = f"The largest mean silhouette is that of {best[0]}."
    note = "Same rows; other clusterings with their defaults, and the same k where they take one."
    return finish(figure, title, " ".join([note, *data.refused]), 560)


def _best(measures: dict[str, float], data: SideBySideData) -> bool:
    values = [m.get("silhouette", np.nan) for m in data.measures]
    return bool(np.isfinite(values).any() and measures.get("silhouette") == np.nanmax(values))


def _brief(value: float) -> str:
    return "–" if not np.isfinite(value) else f"{value:.4g}"
