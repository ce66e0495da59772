"""Which bandwidth: the number of clusters and the share of orphans of mean shift against it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.clustering import MeanShift
from dmlib.clustering.mean_shift.kernel import nearest
from dmlib.clustering.mean_shift.ranges import bandwidth_range
from dmlib.clustering.radius_figures import EpsSweepData, plot_eps_sweep
from dmlib.clustering.reachability import widest_range
from dmlib.pictures.run import Run
from dmlib.problem import Problem

N_BANDWIDTHS = 40
MAX_ROWS = 400  # that are clustered so often
TICKS = (1, 2, 5, 10, 20, 50, 100, 200)  # numbers of clusters


def bandwidth_sweep_data(
    run: Run[Problem, MeanShift], progress: Callable[[Any], None] | None = None
) -> EpsSweepData:
    """Count clusters and orphans for bandwidths from a few neighbours to all rows.

    Of a large table some rows are clustered.

    Raises
    ------
    ValueError
        If all rows are equal.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 10.0, 11.0]}), ["a"])
    >>> data = bandwidth_sweep_data(Run.of(problem, MeanShift(bandwidth=2.0)))
    >>> data.n_clusters[[0, -1]].tolist(), data.widest[0]
    ([6, 1], 2)
    """
    X = run.problem.X
    ends = bandwidth_range(X)
    if len(ends) < 2:
        raise ValueError("All rows are equal, so every bandwidth gives one cluster.")
    rows = X[:: -(-len(X) // MAX_ROWS)]
    low, high = map(float, ends)
    bandwidths = np.linspace(low, high, N_BANDWIDTHS)
    task = partial(_clusters_and_orphans, run.model, rows)
    counts = np.array(list(engine.map(task, bandwidths.tolist(), progress=progress)))
    n_clusters = counts[:, 0].astype(np.intp)
    return EpsSweepData(
        eps=bandwidths,
        n_clusters=n_clusters,
        noise=counts[:, 1],
        current=run.fitted.bandwidth_,
        widest=widest_range(bandwidths, n_clusters),
        name="h",
        share="orphans",
    )


def plot_bandwidth_sweep(data: EpsSweepData) -> go.Figure:
    """Draw both against the bandwidth; a logarithmic axis, since narrow kernels have many modes."""
    figure = plot_eps_sweep(data)
    figure.update_yaxes(type="log", tickvals=TICKS, rangemode="normal", row=1, col=1)
    figure.update_xaxes(title_text="bandwidth h", row=2, col=1)
    return figure


def _clusters_and_orphans(model: MeanShift, X: Floats, bandwidth: float) -> tuple[int, float]:
    fitted = clone(model).set_params(bandwidth=bandwidth, min_bin_freq=1).fit(X)
    squares = nearest(X, fitted.cluster_centers_)[1]
    return fitted.n_clusters_, float((squares > bandwidth**2).mean())
