"""LB_Keogh: the envelope of a series, and the distances of another series to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from dmlib.pictures.figures.style import MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import num, percent
from dmlib.problem import SeriesProblem
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.distances import Envelope, envelope, lb_keogh
from dmlib.similarity.time_series.warping import dtw_distance


@dataclass(frozen=True)
class LowerBound:
    """A lower bound, and the distance that it bounds.

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
        How the series were changed.
    """

    x: NDArray[np.float64]
    around: Envelope
    bound: float
    distance: float
    radius: int
    note: str


def lower_bound(run: Run[SeriesProblem, DynamicTimeWarping]) -> go.Figure:
    """Draw the envelope of the run's second series and the first one."""
    data = lower_bound_data(run.model, *run.problem.arguments)
    return plot_lower_bound(data, *map(plain, run.problem.names))


def lower_bound_data(model: DynamicTimeWarping, x: ArrayLike, y: ArrayLike) -> LowerBound:
    """Return the bound of two series; the second is interpolated to the length of the first.

    Examples
    --------
    >>> data = lower_bound_data(DynamicTimeWarping(radius=1), [0, 0, 5], [0, 1, 2])
    >>> data.bound, data.distance
    (3.0, 4.0)
    """
    first, second = model.transformed(x, y)
    note = ""
    if len(first) != len(second):
        note = " The second series is interpolated to the length of the first."
        places = np.linspace(0, 1, len(second))
        second = np.interp(np.linspace(0, 1, len(first)), places, second)
    bound = lb_keogh(first, second, model.radius, model.metric)
    distance = dtw_distance(first, second, model.radius, model.metric)
    return LowerBound(first, envelope(second, model.radius), bound, distance, model.radius, note)


def plot_lower_bound(data: LowerBound, x_name: str, y_name: str) -> go.Figure:
    """Draw the envelope as a band, the other series, and its distances to the band."""
    at = np.arange(1, len(data.x) + 1)
    figure = go.Figure()
    edge = {"x": at, "mode": "lines", "line": {"color": MUTED}}
    figure.add_scatter(**edge, y=data.around.upper, name=f"envelope of {y_name}")
    lower = {"y": data.around.lower, "fill": "tonexty", "name": "lower edge"}
    figure.add_scatter(**edge, **lower, showlegend=False)
    figure.add_scatter(x=at, y=data.x, mode="lines+markers", marker={"size": 4}, name=x_name)
    clipped = data.x.clip(*data.around)
    outside = np.flatnonzero(clipped != data.x)
    gaps = np.column_stack([data.x, clipped, np.full(len(at), np.nan)])[outside].ravel()
    figure.add_scatter(x=np.repeat(at[outside], 3), y=gaps, mode="lines", name="added to the bound")
    figure.update_xaxes(title_text="number of the value")
    figure.update_yaxes(title_text="value")
    share = f", {percent(data.bound / data.distance)} of it" if data.distance > 0 else ""
    comparison = f"LB_Keogh = {num(data.bound)} ≤ DTW = {num(data.distance)}"
    title = f"{comparison} at the radius {data.radius}{share}."
    note = (
        "Where the series leaves the envelope, its distance to it is added:"
        " no warping within the radius costs less."
    )
    return finish(figure, title, note + data.note, 320, legend=True)
