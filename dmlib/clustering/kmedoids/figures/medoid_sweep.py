"""How many clusters: total deviation and silhouette against k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.metrics import silhouette_score
from sklearn.utils import check_random_state

from dmlib.clustering.k_figures import KCurve, k_curves
from dmlib.clustering.kmedoids.algorithm import KMedoids
from dmlib.clustering.kmedoids.medoids import distances_between
from dmlib.clustering.kmedoids.mixed import coded, measure_of
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_CLUSTERS = 10
SAMPLE = 500  # rows that are clustered, so that ten runs take about a second


@dataclass(frozen=True)
class MedoidSweepData:
    """k-medoids for k = 1, 2, ..."""

    k: NDArray[np.intp]  # (n_runs,): the numbers of clusters
    total: NDArray[np.float64]  # (n_runs,): the total deviation
    # (n_runs,): the mean silhouette by the same metric; NaN where it is not defined
    silhouette: NDArray[np.float64]
    current: int  # the k on the screen
    n_rows: int  # how many rows were clustered
    n_samples: int  # how many there are


def medoid_sweep_data(model: KMedoids, X: ArrayLike) -> MedoidSweepData:
    """Run k-medoids for each k from 1 to 10 as ``model`` would, from "build" in place of points.

    Examples
    --------
    >>> from dmlib.clustering import KMedoids
    >>> data = medoid_sweep_data(KMedoids(2), [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]])
    >>> data.total[:3].tolist(), int(data.k[np.nanargmax(data.silhouette)])
    ([60.0, 4.0, 3.0], 2)
    """
    n_samples = len(np.asarray(X))
    sample = np.sort(check_random_state(0).choice(n_samples, min(SAMPLE, n_samples), replace=False))
    rows = X.iloc[sample] if isinstance(X, pd.DataFrame) else np.asarray(X, float)[sample]
    plain = clone(model)
    if "init" in plain.PARAMS and not (isinstance(plain.init, str) and plain.init != "points"):
        plain.set_params(init="build")
    ks = np.arange(1, min(MAX_CLUSTERS, len(rows) - 1) + 1)
    fits = [clone(plain).set_params(n_clusters=int(k)).fit(rows) for k in ks]
    total = np.array([fit.inertia_ for fit in fits])
    D = distance_matrix(model.metric, rows)
    silhouette = np.array([_silhouette(D, fit.labels_) for fit in fits])
    return MedoidSweepData(ks, total, silhouette, model.n_clusters, len(rows), n_samples)


def distance_matrix(metric: Any, X: ArrayLike) -> NDArray[np.float64]:
    """Return the distances of all rows, with zeros on the diagonal.

    Examples
    --------
    >>> distance_matrix("manhattan", [[0.0], [2.0]]).tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """
    table, categories = coded(X)
    rows = np.asarray(table, float)
    D = distances_between(rows, rows, measure_of(metric, rows, categories))
    np.fill_diagonal(D, 0.0)
    return D


def distances(run: Run[Problem, KMedoids]) -> NDArray[np.float64]:
    """Return the distances of all rows of a run by its metric."""
    return distance_matrix(run.model.metric, run.problem.data)


def _silhouette(D: NDArray[np.float64], labels: NDArray[np.int32]) -> float:
    several = 1 < len(np.unique(labels)) < len(D)
    return float(silhouette_score(D, labels, metric="precomputed")) if several else np.nan


def choose_k(run: Run[Problem, KMedoids]) -> go.Figure:
    """Draw the k to choose from."""
    return plot_medoid_sweep(medoid_sweep_data(run.model, run.problem.data))


def plot_medoid_sweep(data: MedoidSweepData) -> go.Figure:
    """Draw the total deviation above the silhouette, with current k and largest silhouette."""
    best, title = None, "No silhouette is defined."
    if np.isfinite(data.silhouette).any():
        best = int(data.k[np.nanargmax(data.silhouette)])
        title = f"The mean silhouette is largest for {best} clusters."
    curves = (
        KCurve("total deviation", data.k, data.total),
        KCurve("mean silhouette", data.k, data.silhouette, best),
    )
    note = "Dotted line: the k on the stage."
    if data.n_rows < data.n_samples:
        note += f" A sample of {data.n_rows} of the {data.n_samples} rows."
    return finish(k_curves(curves, data.current), title, note, 380)
