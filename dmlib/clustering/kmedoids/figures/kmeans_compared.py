"""k-medoids beside k-means on the same rows: where the centres lie, and which rows they take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from sklearn.metrics import adjusted_rand_score

from dmlib.arrays import Floats
from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.kmedoids.algorithm import KMedoids
from dmlib.pictures.figures.style import MUTED, SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem

RESTARTS = 10
NAMES = ("k-medoids", "k-means")


@dataclass(frozen=True)
class KMeansComparedData:
    """Both clusterings in the plane."""

    points: Floats  # (n_samples, 2): the rows
    # (n_samples,): their clusters by k-medoids and by k-means
    labels: tuple[NDArray[np.int32], NDArray[np.int32]]
    centers: tuple[Floats, Floats]  # (n_clusters, 2): the medoids and the means
    agreement: float  # the adjusted Rand index of the two, 1 for the same clusters
    axes: tuple[str, ...]  # the names of the axes


def kmeans_compared_data(run: Run[Problem, KMedoids]) -> KMeansComparedData:
    """Run k-means, the best of ten restarts, with the k of the stage.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMedoids
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.0, 5.0, 6.0, 7.0, 40.0]}), ["a"])
    >>> data = kmeans_compared_data(Run.of(problem, KMedoids(2, init="random", random_state=0)))
    >>> [np.sort(np.bincount(labels)).tolist() for labels in data.labels]
    [[1, 6], [1, 6]]
    """
    problem, fitted = run.problem, run.fitted
    if problem.categories:
        raise ValueError(
            "k-means needs the mean of each column, and names have none. "
            "Choose numeric columns alone."
        )
    distinct = len(np.unique(problem.X, axis=0))
    k = min(len(fitted.medoid_indices_), distinct)
    means = KMeans(k, n_init=RESTARTS, random_state=run.seed).fit(problem.X)
    return KMeansComparedData(
        problem.points,
        (fitted.labels_, means.labels_),
        (problem.points[fitted.medoid_indices_], problem.plane.project(means.cluster_centers_)),
        float(adjusted_rand_score(fitted.labels_, means.labels_)),
        tuple(problem.plane.labels),
    )


def kmeans_compared(run: Run[Problem, KMedoids]) -> go.Figure:
    """Draw both clusterings of a run."""
    return plot_kmeans_compared(kmeans_compared_data(run))


def plot_kmeans_compared(data: KMeansComparedData) -> go.Figure:
    """Draw the rows twice, coloured by cluster, with the medoids and the means."""
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.1, subplot_titles=NAMES
    )
    for row, (labels, centers) in enumerate(zip(data.labels, data.centers, strict=True), start=1):
        for size, places, codes, line in (
            (6, data.points, labels, 0),
            (15, centers, np.arange(len(centers)), 2),
        ):
            figure.add_scatter(
                x=places[:, 0],
                y=places[:, 1],
                mode="markers",
                marker={
                    "size": size,
                    "color": [class_color(figure, int(code)) or MUTED for code in codes],
                    "symbol": [SYMBOLS[code % len(SYMBOLS)] for code in codes],
                    "line": {"width": line, "color": MUTED},
                },
                text=[f"cluster {code + 1}" for code in codes],
                hovertemplate="%{text}<extra></extra>",
                row=row,
                col=1,
            )
        figure.update_yaxes(title_text=plain(data.axes[1]), row=row, col=1)
    figure.update_xaxes(title_text=plain(data.axes[0]), row=2, col=1)
    sizes = [
        " + ".join(str(n) for n in -np.sort(-np.bincount(labels))[:10]) for labels in data.labels
    ]
    title = f"Rows by cluster: k-medoids {sizes[0]}, k-means {sizes[1]}."
    note = (
        f"Adjusted Rand index of the two {data.agreement:.3f} (1: "
        "the same clusters). Large marks: medoids, means."
    )
    return finish(figure, title, note, 560)
