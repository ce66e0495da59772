"""LB_Keogh: the envelope of one series, and how far the other leaves it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from dmlib.pictures.figures.style import MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import num
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.distances import Envelope, envelope, lb_keogh
from dmlib.similarity.time_series.warping import dtw_distance


@dataclass(frozen=True)
class LowerBound:
    """A lower bound and what it bounds.

    Attributes
    ----------
    x : ndarray of shape (n_values,)
        The series that leaves the envelope.
    around : Envelope
        The envelope of the other one.
    bound, distance : float
        LB_Keogh, and the distance in the band.
    radius : int
        The radius of the band.
    note : str
        What was done to the series.
    """

    x: NDArray[np.float64]
    around: Envelope
    bound: float
    distance: float
    radius: int
    note: str


def lower_bound(run: Run) -> go.Figure:
    """Draw the envelope of the run's second series and the first one."""
    return plot_lower_bound(
        lower_bound_data(run.model, *run.problem.arguments), *map(plain, run.problem.names)
    )


def lower_bound_data(model: DynamicTimeWarping, x: ArrayLike, y: ArrayLike) -> LowerBound:
    """Return the bound of two series; of different length, the second is interpolated to the length of the first.

    Examples
    --------
    >>> data = lower_bound_data(DynamicTimeWarping(radius=1), [0, 0, 5], [0, 1, 2])
    >>> data.bound, data.distance
    (3.0, 4.0)
    """
    one, other = model.transformed(x, y)
    note = ""
    if len(one) != len(other):
        note = " The second series is interpolated to the length of the first."
        other = np.interp(np.linspace(0, 1, len(one)), np.linspace(0, 1, len(other)), other)
    bound = lb_keogh(one, other, model.radius, model.metric)
    distance = dtw_distance(one, other, model.radius, model.metric)
    return LowerBound(one, envelope(other, model.radius), bound, distance, model.radius, note)


def plot_lower_bound(data: LowerBound, one: str, other: str) -> go.Figure:
    """Draw the envelope as a band, the other series, and its way to the band."""
    at = np.arange(1, len(data.x) + 1)
    figure = go.Figure()
    figure.add_scatter(
        x=at, y=data.around.upper, mode="lines", line={"color": MUTED}, name=f"envelope of {other}"
    )
    figure.add_scatter(
        x=at,
        y=data.around.lower,
        mode="lines",
        line={"color": MUTED},
        fill="tonexty",
        name="lower edge",
        showlegend=False,
    )
    figure.add_scatter(x=at, y=data.x, mode="lines+markers", marker={"size": 4}, name=one)
    near = data.x.clip(*data.around)
    outside = np.flatnonzero(near != data.x)
    gaps = np.column_stack([data.x, near, np.full(len(at), np.nan)])[outside].ravel()
    figure.add_scatter(x=np.repeat(at[outside], 3), y=gaps, mode="lines", name="added to the bound")
    figure.update_xaxes(title_text="number of the value")
    figure.update_yaxes(title_text="value")
    share = f", {data.bound / data.distance:.0%} of it" if data.distance > 0 else ""
    title = (
        f"LB_Keogh = {num(data.bound)} ≤ DTW = {num(data.distance)} at the radius"
        f" {data.radius}{share}."
    )
    note = (
        "Where the series leaves the envelope, its distance to it is added: no warping within the"
        " radius costs less."
    )
    return finish(figure, title, note + data.note, 320, legend=True)
