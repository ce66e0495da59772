"""Which radius: the number of clusters and the share of noise against eps, or against the height of a cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots
from sklearn.base import clone

from dmlib.clustering import DBSCAN, OPTICS
from dmlib.clustering.neighbors import Neighbors
from dmlib.clustering.reachability import cut_height
from dmlib.plots.style import MUTED, finish

RADII = 60


@dataclass(frozen=True)
class EpsSweepData:
    """Clusterings at many radii.

    Attributes
    ----------
    eps : ndarray of shape (n_radii,)
        The radii, ascending.
    n_clusters : ndarray of shape (n_radii,)
        The number of clusters at each.
    noise : ndarray of shape (n_radii,)
        The share of rows that are noise at each.
    current : float
        The radius on the screen.
    name : str
        What the radius is called.
    """

    eps: NDArray[np.float64]
    n_clusters: NDArray[np.intp]
    noise: NDArray[np.float64]
    current: float
    name: str = "eps"


def eps_sweep_data(model: DBSCAN, X: ArrayLike) -> EpsSweepData:
    """Run DBSCAN for radii between the smallest and the largest k-distance.

    Parameters
    ----------
    model : DBSCAN
        Its other parameters are used.
    X : array-like of shape (n_samples, n_features)
        The rows.

    Returns
    -------
    EpsSweepData
        What each radius gives.

    Raises
    ------
    ValueError
        If there are fewer rows than ``min_samples``, so that no radius makes a core point.

    Examples
    --------
    >>> data = eps_sweep_data(DBSCAN(1.0, min_samples=2), [[0.0], [1.0], [9.0], [11.0]])
    >>> data.eps[[0, -1]].tolist(), data.n_clusters[[0, -1]].tolist(), data.noise[[0, -1]].tolist()
    ([1.0, 2.0], [1, 2], [0.5, 0.0])
    """
    rows = np.asarray(X, float)
    if model.min_samples > len(rows):
        raise ValueError(
            f"No radius makes a core point: it needs {model.min_samples} rows, and there are {len(rows)}. "
            "Lower the number of rows that make a core point."
        )
    radii = _grid(Neighbors(rows, metric=model.metric).kth(model.min_samples))
    return _sweep([clone(model).set_params(eps=float(eps)).fit(rows).labels_ for eps in radii], radii, model.eps, "eps")


def cut_sweep_data(model: OPTICS, current: float | str) -> EpsSweepData:
    """Cut the reachability plot of a fitted OPTICS at many heights.

    Parameters
    ----------
    model : OPTICS
        Fitted.
    current : float or "auto"
        The height on the screen.

    Returns
    -------
    EpsSweepData
        What each height gives.

    Raises
    ------
    ValueError
        If no row reaches another.

    Examples
    --------
    >>> data = cut_sweep_data(OPTICS(2).fit([[0.0], [1.0], [9.0], [11.0]]), 3.0)
    >>> data.eps[[0, -1]].tolist(), data.n_clusters[[0, -1]].tolist()
    ([1.0, 8.0], [1, 1])
    """
    heights = _grid(model.reachability_)
    height = cut_height(current, model.reachability_, model.core_distances_, model.max_eps)
    return _sweep([model.cut(float(eps)) for eps in heights], heights, height, "cut")


def _grid(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    finite = distances[np.isfinite(distances)]
    if not finite.size:
        raise ValueError("No row reaches another, so there is nothing to compare. Choose a larger radius.")
    return np.linspace(finite.min(), finite.max(), RADII)


def _sweep(labels: list[NDArray[np.intp]], eps: NDArray[np.float64], current: float, name: str) -> EpsSweepData:
    n_clusters = np.array([each.max() + 1 for each in labels], np.intp)
    return EpsSweepData(eps, n_clusters, np.array([(each < 0).mean() for each in labels]), current, name)


def plot_eps_sweep(data: EpsSweepData) -> go.Figure:
    """Draw the number of clusters above the share of noise, with the current radius marked."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    shares = 100 * data.noise
    for row, (name, values, shape) in enumerate(
        [("clusters", data.n_clusters, "hv"), ("noise, %", shares, "linear")], start=1
    ):
        figure.add_scatter(
            x=data.eps,
            y=values,
            mode="lines",
            line={"shape": shape},
            hovertemplate=f"{data.name} = %{{x:.4g}}<br>{name} %{{y:.4g}}<extra></extra>",
            row=row,
            col=1,
        )
        figure.update_yaxes(title_text=name, rangemode="tozero", row=row, col=1)
    if data.eps[0] <= data.current <= data.eps[-1]:
        figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text=data.name, row=2, col=1)
    longest, low, high = plateau(data)
    title = f"From {data.name} = {low:.3g} to {high:.3g} it stays at {longest}."
    note = f"The widest range with the same number of two clusters or more. Dotted: {data.name} = {data.current:.4g}."
    if longest < 2:
        title, note = "No radius gives two clusters.", f"Dotted: {data.name} = {data.current:.4g}, as now."
    return finish(figure, title, note, 360)


def plateau(data: EpsSweepData) -> tuple[int, float, float]:
    """Return the number of clusters, two or more, that the widest range of radii gives, and the range.

    Examples
    --------
    >>> counts = np.array([3, 2, 2, 2, 1, 1, 1, 1])
    >>> plateau(EpsSweepData(np.arange(8.0), counts, np.zeros(8), 0.0))
    (2, 1.0, 3.0)
    """
    starts = np.flatnonzero(np.diff(data.n_clusters, prepend=-1))
    ends = np.append(starts[1:], len(data.eps)) - 1
    spans = [
        (float(data.eps[b] - data.eps[a]), -a, b) for a, b in zip(starts, ends, strict=True) if data.n_clusters[a] > 1
    ]
    if not spans:
        return 0, 0.0, 0.0
    _, start, end = max(spans)
    return int(data.n_clusters[-start]), float(data.eps[-start]), float(data.eps[end])
