"""Classification of a small set by the nearest series, and the tables that LB_Keogh saves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, finish
from dmlib.pictures.run import Run
from dmlib.problem import SeriesProblem
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.distances import lb_keogh
from dmlib.similarity.time_series.figures.small_set import SHAPES, distances_of, small_set
from dmlib.similarity.time_series.warping import transformed

RADII = (0, 1, 2, 3, 5, 8, 12, 20, 39)


@dataclass(frozen=True)
class NearestNeighbour:
    """Errors and filled tables for each radius.

    Attributes
    ----------
    radii, errors, warped : ndarray of shape (n_radii,)
        The radii, the numbers of misclassified series, and the fraction of tables that are filled
        where series with too large a lower bound are skipped.
    n_series : int
        The number of series.
    current : int or None
        The radius of the run.
    """

    radii: NDArray[np.intp]
    errors: NDArray[np.intp]
    warped: NDArray[np.float64]
    n_series: int
    current: int | None


def nearest_neighbour(
    run: Run[SeriesProblem, DynamicTimeWarping], progress: Callable[[int], None]
) -> NearestNeighbour:
    """Classify the small set as the run measures and transforms."""
    return nearest_neighbour_data(run.model, progress)


def nearest_neighbour_data(
    model: DynamicTimeWarping, progress: Callable[[int], None] = lambda _: None
) -> NearestNeighbour:
    """Leave each series of the small set out, and classify it by the nearest of the others.

    ``progress`` is called with each radius.

    Examples
    --------
    >>> nearest_neighbour_data(DynamicTimeWarping()).n_series
    18
    """
    raw, classes = small_set()
    series = [transformed(values, model.transform) for values in raw]
    errors, warped = [], []
    for radius in RADII:
        D = distances_of(model, radius)
        np.fill_diagonal(D, np.inf)
        errors.append(int((classes[D.argmin(axis=1)] != classes).sum()))
        bounds = np.array([[lb_keogh(x, y, radius, model.metric) for y in series] for x in series])
        np.fill_diagonal(bounds, np.inf)
        warped.append(float(_warped(bounds, D).mean()) / (len(series) - 1))
        progress(radius)
    current = model.radius if model.window == "sakoe-chiba" else None
    radii, n_errors, shares = map(np.array, (RADII, errors, warped))
    return NearestNeighbour(radii, n_errors, shares, len(series), current)


def _warped(bounds: NDArray[np.float64], D: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the number of distances that each series needs, in the order of the bounds."""
    order = np.argsort(bounds, axis=1, kind="stable")
    sorted_bounds = np.take_along_axis(bounds, order, 1)
    sorted_D = np.take_along_axis(D, order, 1)
    best = np.minimum.accumulate(sorted_D, axis=1)
    needed: NDArray[np.float64] = 1.0 + (sorted_bounds[:, 1:] < best[:, :-1]).sum(axis=1)
    return np.minimum(needed, len(D) - 1)


def plot_nearest_neighbour(data: NearestNeighbour) -> go.Figure:
    """Draw errors and filled tables over the radius."""
    figure = make_subplots(rows=1, cols=2, horizontal_spacing=0.14)
    radii = [str(radius) for radius in data.radii]
    errors = {"y": data.errors, "hovertemplate": "radius %{x}: %{y} misclassified<extra></extra>"}
    warped = {"y": data.warped, "hovertemplate": "radius %{x}: %{y:.0%} filled<extra></extra>"}
    figure.add_bar(x=radii, **errors, row=1, col=1)
    figure.add_bar(x=radii, **warped, row=1, col=2)
    figure.update_xaxes(title_text="radius", type="category")
    figure.update_yaxes(title_text="misclassified", rangemode="tozero", row=1, col=1)
    figure.update_yaxes(title_text="tables filled", tickformat=".0%", range=[0, 1], row=1, col=2)
    if str(data.current) in radii:
        figure.add_vline(x=radii.index(str(data.current)), line={"color": ACCENT, "dash": "dash"})
    best = int(data.errors.argmin())
    title = (
        f"Nearest neighbour, each of {data.n_series} series left out once:"
        f" {data.errors[0]} misclassified at the radius 0 (value by value),"
        f" {data.errors[best]} at {data.radii[best]}."
    )
    note = (
        f"Made-up {SHAPES[0]}s, {SHAPES[1]}s and {SHAPES[2]}s of random start and width."
        " Right: the fraction of tables that LB_Keogh does not save."
    )
    return finish(figure, title, note, 300)
