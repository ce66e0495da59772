"""Which eps: the number of clusters and the share of noise of DBSCAN against it."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from dmlib.clustering import DBSCAN, OPTICS
from dmlib.clustering.kernel_distance import METRICS
from dmlib.clustering.neighbors import Neighbors
from dmlib.clustering.radius_figures import EpsSweepData, plot_eps_sweep, sweep
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def eps_sweep(run: Run[Problem, DBSCAN]) -> go.Figure:
    """Draw the radii to choose from."""
    return plot_eps_sweep(eps_sweep_data(run.model, run.problem.X))


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
    One run of OPTICS has the clusters of all radii. A row is noise below the smallest radius at
    which a core point, or itself as one, has it in its neighbourhood.

    Examples
    --------
    >>> data = eps_sweep_data(DBSCAN(1.0, min_samples=2), [[0.0], [1.0], [9.0], [11.0]])
    >>> data.eps.tolist(), data.n_clusters.tolist(), data.noise.tolist()
    ([1.0, 2.0, 8.0], [1, 2, 1], [0.5, 0.0, 0.0])
    """
    rows = np.asarray(X, float)
    if model.min_samples > len(rows):
        raise ValueError(
            f"No radius makes a core point: it needs {model.min_samples} rows, "
            f"and there are {len(rows)}. Lower min_samples, the minimum number of neighbours."
        )
    neighbors, metric = Neighbors(rows, metric=model.distance(rows)), model.metric
    if metric in METRICS:
        rows, metric = (
            np.array([neighbors.distances(row) for row in range(len(rows))]),
            "precomputed",
        )
    order = OPTICS(max(2, model.min_samples), metric=metric).fit(rows)
    core = order.core_distances_ if model.min_samples > 1 else np.zeros(len(rows))
    joins = np.array([np.maximum(core, neighbors.distances(row)).min() for row in range(len(rows))])
    return sweep(order.reachability_, core, joins, model.eps, "eps")
