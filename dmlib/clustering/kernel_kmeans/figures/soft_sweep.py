"""Number of clusters: the objective for each k with its bound, or the partition coefficient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots
from sklearn.base import clone
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.clustering.kernel_kmeans.algorithm import KernelKMeans
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeans
from dmlib.pictures.figures.style import MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_CLUSTERS = 8
SAMPLE = 300  # rows that are clustered, so that all runs take about a second


@dataclass(frozen=True)
class SoftSweepData:
    """A method for k = 1, 2, ..."""

    k: NDArray[np.intp]  # (n_runs,): the numbers of clusters
    objective: Floats  # (n_runs,): the SSE in feature space, or the objective of fuzzy c-means
    # (n_runs,): the lower bound of the SSE by the eigenvalues; or the partition coefficient,
    # scaled so that 0 is what equal memberships have and 1 what crisp ones have (NaN for k = 1)
    second: Floats
    fuzzy: bool  # which of the two methods it is
    current: int  # the k on the screen
    n_rows: int  # how many rows were clustered
    n_samples: int  # how many there are


def soft_sweep_data(model: Any, X: ArrayLike) -> SoftSweepData:
    """Run the method for each k from 1 to 8 as ``model`` would; given starts give way to k-means++.

    Examples
    --------
    >>> from dmlib.clustering import FuzzyCMeans
    >>> X = [[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]]
    >>> data = soft_sweep_data(FuzzyCMeans(2, random_state=0), X)
    >>> data.second[1:3].round(2).tolist()
    [1.0, 0.86]
    """
    rows = np.asarray(X, float)
    n_samples, fuzzy = len(rows), isinstance(model, FuzzyCMeans)
    if n_samples > SAMPLE:
        rows = rows[np.sort(check_random_state(0).choice(n_samples, SAMPLE, replace=False))]
    plain = clone(model)
    if not isinstance(plain.init, str) or plain.init == "points":
        plain.set_params(init="k-means++")
    ks = np.arange(1, min(MAX_CLUSTERS, len(np.unique(rows, axis=0))) + 1)
    fits = [clone(plain).set_params(n_clusters=int(k)).fit(rows) for k in ks]
    objective = np.array([fit.inertia_ for fit in fits])
    second = _crispness(ks, fits) if fuzzy else _bounds(plain, rows, ks)
    return SoftSweepData(ks, objective, second, fuzzy, model.n_clusters, len(rows), n_samples)


def _crispness(ks: NDArray[np.intp], fits: Any) -> Floats:
    coefficients = np.array([fit.partition_coefficient_ for fit in fits])
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled: Floats = np.where(ks > 1, (coefficients - 1 / ks) / (1 - 1 / ks), np.nan)
    return scaled


def _bounds(model: Any, rows: Floats, ks: NDArray[np.intp]) -> Floats:
    space = model.feature_space(rows)
    values, _ = space.relaxation(int(ks.max()))
    bounds: Floats = np.maximum(space.total - np.cumsum(values), 0.0)[ks - 1]
    return bounds


def choose_k(run: Run[Problem, KernelKMeans | FuzzyCMeans]) -> go.Figure:
    """Draw the k to choose from."""
    return plot_soft_sweep(soft_sweep_data(run.model, run.problem.X))


def plot_soft_sweep(data: SoftSweepData) -> go.Figure:
    """Draw the objective with its bound, or above the partition coefficient."""
    figure = make_subplots(rows=1 + data.fuzzy, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    objective = "objective" if data.fuzzy else "SSE"
    second = "scaled partition coefficient" if data.fuzzy else "lower bound by the eigenvalues"
    for row, name, values, dash in (
        (1, objective, data.objective, "solid"),
        (1 + data.fuzzy, second, data.second, "solid" if data.fuzzy else "dot"),
    ):
        hover = f"k = %{{x}}<br>{name} %{{y:.5g}}<extra></extra>"
        style: dict[str, Any] = {
            "mode": "lines+markers",
            "line": {"dash": dash},
            "hovertemplate": hover,
        }
        figure.add_scatter(x=data.k, y=values, name=name, **style, row=row, col=1)
    figure.update_yaxes(title_text=objective, rangemode="tozero", row=1, col=1)
    if data.fuzzy:
        figure.update_yaxes(title_text="partition coefficient", row=2, col=1)
    if data.current in data.k:
        figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(dtick=1, showgrid=False)
    figure.update_xaxes(title_text="clusters, k", row=1 + data.fuzzy, col=1)
    note = "Dotted vertical line: the k on the stage."
    if data.n_rows < data.n_samples:
        note += f" A sample of {data.n_rows} of the {data.n_samples} rows."
    finish(figure, _title(data), note, 400)
    return figure.update_layout(showlegend=not data.fuzzy)


def _title(data: SoftSweepData) -> str:
    if not data.fuzzy:
        return "The SSE falls with every cluster: look for the elbow."
    if not np.isfinite(data.second).any():
        return "One cluster has no partition coefficient."
    return f"The memberships are crispest for {int(data.k[np.nanargmax(data.second)])} clusters."
