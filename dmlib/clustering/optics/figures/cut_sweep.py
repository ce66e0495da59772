"""Where to cut: the number of clusters and the share of noise against the height of a cut."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.clustering import OPTICS
from dmlib.clustering.optics.scene import OPTIONS
from dmlib.clustering.radius_figures import EpsSweepData, plot_eps_sweep, sweep
from dmlib.clustering.reachability import cut_height
from dmlib.pictures.options import chosen
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def cut_sweep(run: Run[Problem, OPTICS]) -> go.Figure:
    """Draw the cuts to choose from."""
    return plot_eps_sweep(cut_sweep_data(run.fitted, chosen(run, OPTIONS)["cut"]))


def cut_sweep_data(model: OPTICS, current: float | str) -> EpsSweepData:
    """Count clusters and noise of all cuts through the reachability plot of a fitted OPTICS.

    ``current`` is the height on the screen, or "auto".

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
    return sweep(reach, core, np.minimum(reach, core), height, "cut", model.max_eps)
