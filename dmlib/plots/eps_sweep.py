"""Which radius: the number of clusters and the share of noise against eps, or against the height of a cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from dmlib.clustering import DBSCAN, OPTICS
from dmlib.clustering.neighbors import Floats, Neighbors
from dmlib.clustering.reachability import cluster_counts, cut_height, typical, widest_range
from dmlib.plots.style import MUTED, finish


@dataclass(frozen=True)
class EpsSweepData:
    """Clusterings at all radii.

    Attributes
    ----------
    eps : ndarray of shape (n_radii,)
        The radii at which something can change, ascending.
    n_clusters : ndarray of shape (n_radii,)
        The number of clusters from each on.
    noise : ndarray of shape (n_radii,)
        The share of rows that are noise from each on.
    current : float
        The radius on the screen.
    widest : tuple of (int, float, float)
        The number of clusters, two or more, that the widest range of radii gives, and the range; zeros if none does.
    name : str
        What the radius is called.
    """

    eps: NDArray[np.float64]
    n_clusters: NDArray[np.intp]
    noise: NDArray[np.float64]
    current: float
    widest: tuple[int, float, float]
    name: str = "eps"


def eps_sweep_data(model: DBSCAN, X: ArrayLike) -> EpsSweepData:
    """Count clusters and noise of DBSCAN for all radii at once.

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

    Notes
    -----
    One run of OPTICS has the clusters of all radii. A row is noise below the smallest radius at which a core point, or
    itself as one, has it in its neighbourhood.

    Examples
    --------
    >>> data = eps_sweep_data(DBSCAN(1.0, min_samples=2), [[0.0], [1.0], [9.0], [11.0]])
    >>> data.eps.tolist(), data.n_clusters.tolist(), data.noise.tolist()
    ([1.0, 2.0, 8.0], [1, 2, 1], [0.5, 0.0, 0.0])
    """
    rows = np.asarray(X, float)
    if model.min_samples > len(rows):
        raise ValueError(
            f"No radius makes a core point: it needs {model.min_samples} rows, and there are {len(rows)}. "
            "Lower the number of rows that make a core point."
        )
    order = OPTICS(max(2, model.min_samples), metric=model.metric).fit(rows)
    near = Neighbors(rows, metric=model.metric)
    core = order.core_distances_ if model.min_samples > 1 else np.zeros(len(rows))
    joins = np.array([np.maximum(core, near.distances(row)).min() for row in range(len(rows))])
    return _sweep(order.reachability_, core, joins, model.eps, "eps")


def cut_sweep_data(model: OPTICS, current: float | str) -> EpsSweepData:
    """Count clusters and noise of all cuts through the reachability plot of a fitted OPTICS.

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
    >>> data.eps.tolist(), data.n_clusters.tolist(), data.widest
    ([1.0, 2.0, 8.0], [1, 2, 1], (2, 2.0, 8.0))
    """
    reach, core = model.reachability_, model.core_distances_
    height = cut_height(current, reach, core, model.max_eps)
    return _sweep(reach, core, np.minimum(reach, core), height, "cut", model.max_eps)


def _sweep(
    reach: Floats, core: Floats, joins: Floats, current: float, name: str, max_eps: float = np.inf
) -> EpsSweepData:
    reach, core, joins = _mended(reach, core, joins)
    edges, counts = cluster_counts(reach, core, max_eps)
    if not edges.size:
        raise ValueError("No row reaches another, so there is nothing to compare. Choose a larger radius.")
    eps = np.unique(np.concatenate([edges, joins[np.isfinite(joins)]]))
    n_clusters = np.append(0, counts)[np.searchsorted(edges, eps, side="right")]
    noise = 1 - np.searchsorted(np.sort(joins), eps, side="right") / len(joins)
    return EpsSweepData(eps, n_clusters, noise, current, widest_range(eps, n_clusters, typical(core)), name)


def _mended(*distances: Floats) -> list[Floats]:
    """Return distances rounded to ten digits of the largest: ties that were broken by rounding are ties again."""
    finite = np.concatenate(distances)
    largest = finite.max(where=np.isfinite(finite), initial=0.0)
    digits = 10 - int(np.ceil(np.log10(largest))) if largest else 0
    return [np.around(each, digits) for each in distances]


def plot_eps_sweep(data: EpsSweepData) -> go.Figure:
    """Draw the number of clusters above the share of noise, with the current radius marked."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, (name, values) in enumerate([("clusters", data.n_clusters), ("noise, %", 100 * data.noise)], start=1):
        figure.add_scatter(
            x=data.eps,
            y=values,
            mode="lines",
            line={"shape": "hv"},
            hovertemplate=f"{data.name} = %{{x:.4g}}<br>{name} %{{y:.4g}}<extra></extra>",
            row=row,
            col=1,
        )
        figure.update_yaxes(title_text=name, rangemode="tozero", row=row, col=1)
    number, low, high = data.widest
    # An outlier is reached from so far away that the rest of the curves would be a line.
    most = 1.2 * max(high, float(np.quantile(data.eps, 0.98)))
    figure.update_xaxes(range=[0, min(most, 1.05 * data.eps[-1]) or 1.0])
    if 0 < data.current <= most:
        figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text=data.name, row=2, col=1)
    title = f"{data.name} from {low:.3g} to {high:.3g} gives {number} clusters."
    note = f"The widest range with the same number of two clusters or more. Dotted: {data.name} = {data.current:.4g}."
    if not number:
        title, note = f"No {data.name} gives two clusters.", f"Dotted: {data.name} = {data.current:.4g}, as now."
    return finish(figure, title, note, 360)
