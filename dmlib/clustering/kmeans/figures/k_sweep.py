"""How many clusters: SSE and silhouette against k."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from dmlib.clustering import KCentroids, KMeans, KSweep, k_sweep
from dmlib.clustering.k_figures import KCurve, k_curves
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_CLUSTERS = 10
MAX_RESTARTS = 10
SAMPLE = 2000  # rows for the silhouette


@dataclass(frozen=True)
class KSweepData:
    """k-means for k = 1, 2, ..., and the k that two rules of thumb would choose."""

    sweep: KSweep  # SSE and mean silhouette for each k
    current: int  # the k on the screen
    knee: int | None  # the k at which the SSE curve bends most; None if it has no bend
    highest: int | None  # the k with the largest mean silhouette; None if no silhouette is defined


def k_sweep_data(model: KMeans, X: ArrayLike) -> KSweepData:
    """Run k-means for each k from 1 to 10 as ``model`` would.

    Parameters
    ----------
    model : KMeans
        Its starts, stopping rules and seed are used. Centres given for one k fit no other:
        "k-means++" replaces them. At most 10 restarts are made, to bound the time.
    X : array-like of shape (n_samples, n_features)
        The rows.

    Returns
    -------
    KSweepData
        The sweep and what it suggests.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
    >>> data = k_sweep_data(KMeans(2, n_init=5, random_state=0), X)
    >>> data.knee, data.highest
    (2, 2)
    """
    init = model.init if isinstance(model.init, str) and model.init != "points" else "k-means++"
    sweep = k_sweep(
        X,
        range(1, min(MAX_CLUSTERS, len(np.asarray(X)) - 1) + 1),
        max_rows=SAMPLE,
        random_state=model.random_state,
        init=init,
        n_init=min(model.n_init, MAX_RESTARTS),
        max_iter=model.max_iter,
        tol=model.tol,
    )
    defined = np.isfinite(sweep.silhouette)
    highest = int(sweep.k[np.nanargmax(sweep.silhouette)]) if defined.any() else None
    return KSweepData(sweep, model.n_clusters, knee(sweep.k, sweep.inertia), highest)


def knee(x: ArrayLike, y: ArrayLike) -> int | None:
    """Return the x at which a falling curve is farthest below the straight line between its ends.

    Parameters
    ----------
    x : array-like of int, shape (n,)
        Ascending.
    y : array-like of shape (n,)
        The curve.

    Returns
    -------
    int or None
        None if the curve is nowhere below that line. Ties go to the smaller x.

    References
    ----------
    V. Satopaa, J. Albrecht, D. Irwin and B. Raghavan (2011), Finding a "kneedle" in a haystack,
    section II.

    Examples
    --------
    >>> knee([1, 2, 3, 4], [10.0, 2.0, 1.0, 0.0])
    2
    """
    xs, ys = np.asarray(x, float), np.asarray(y, float)
    if len(xs) < 3 or ys[0] <= ys[-1]:
        return None
    below = (ys[0] - ys) / (ys[0] - ys[-1]) - (xs - xs[0]) / (xs[-1] - xs[0])
    return int(xs[below.argmax()]) if below.max() > 1e-9 else None


def choose_k(run: Run[Problem, KMeans]) -> go.Figure:
    """Draw the k to choose from.

    Raises
    ------
    ValueError
        For another distance than the Euclidean one: the two curves are about that.
    """
    if isinstance(run.model, KCentroids):
        raise ValueError(
            "SSE and silhouette are about Euclidean distances. Choose the method k-means to see "
            "them for each k."
        )
    return plot_k_sweep(k_sweep_data(run.model, run.problem.X))


def choose_plain_k(run: Run[Problem, KMeans]) -> go.Figure:
    """Draw the same of plain k-means, for a variant of it that found the number of clusters."""
    n_clusters = len(run.fitted.cluster_centers_)
    plain = KMeans(n_clusters, n_init=run.model.n_init, random_state=run.model.random_state)
    return plot_k_sweep(k_sweep_data(plain, run.problem.X))


def plot_k_sweep(data: KSweepData) -> go.Figure:
    """Draw SSE above silhouette, with the current k and the two suggestions marked."""
    k, sweep = data.sweep.k, data.sweep
    curves = (
        KCurve("SSE", k, sweep.inertia, data.knee),
        KCurve("mean silhouette", k, sweep.silhouette, data.highest),
    )
    return finish(k_curves(curves, data.current), _title(data), _note(data), 380)


def _title(data: KSweepData) -> str:
    bend, best = "The SSE has no bend", "no silhouette is defined"
    if data.knee:
        bend = f"The SSE bends most at k = {data.knee}"
    if data.highest:
        best = f"the silhouette is highest at k = {data.highest}"
    return f"{bend}; {best}."


def _note(data: KSweepData) -> str:
    return " ".join(
        [f"Stars: rules of thumb. Dotted: current k = {data.current}.", *data.sweep.notes]
    )
