"""The cost for every radius of a Sakoe-Chiba band: from value by value to full freedom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from dmlib.pictures.figures.style import ACCENT, finish
from dmlib.pictures.run import Run
from dmlib.problem import SeriesProblem
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.trace import look

MAX_RADII = 30


@dataclass(frozen=True)
class CostByRadius:
    """The cost of the cheapest path for each radius.

    Attributes
    ----------
    radii, costs : ndarray of shape (n_radii,)
        The radii, and the cost of the cheapest path in their band; NaN where there is none.
    current : int or None
        The radius of the run.
    """

    radii: NDArray[np.intp]
    costs: NDArray[np.float64]
    current: int | None


def cost_by_radius(run: Run[SeriesProblem, DynamicTimeWarping]) -> go.Figure:
    """Draw the cost of the run's series by the radius."""
    return plot_cost_by_radius(cost_by_radius_data(run.model, *run.problem.arguments))


def cost_by_radius_data(model: DynamicTimeWarping, x: ArrayLike, y: ArrayLike) -> CostByRadius:
    """Return the cost for radii from the difference of both lengths on.

    Examples
    --------
    >>> data = cost_by_radius_data(DynamicTimeWarping(), [1, 3, 4, 2], [1, 4, 2, 2])
    >>> data.radii.tolist(), data.costs.tolist()
    ([0, 1, 2, 3], [3.0, 1.0, 1.0, 1.0])
    """
    n, m = len(np.ravel(x)), len(np.ravel(y))
    places = np.linspace(abs(n - m), max(n, m) - 1, MAX_RADII)
    radii = np.unique(np.round(places).astype(np.intp))
    params = model.get_params() | {"window": "sakoe-chiba"}
    costs = []
    for radius in radii.tolist():
        look()
        try:
            costs.append(DynamicTimeWarping(**params | {"radius": radius}).fit(x, y).cost_)
        except ValueError:  # no path fits
            costs.append(np.nan)
    current = model.radius if model.window == "sakoe-chiba" else None
    return CostByRadius(radii, np.array(costs), current)


def plot_cost_by_radius(data: CostByRadius) -> go.Figure:
    """Draw the costs as a curve, and the current radius as a line."""
    figure = go.Figure()
    figure.add_scatter(
        x=data.radii,
        y=data.costs,
        mode="lines+markers",
        hovertemplate="radius %{x}: %{y:.6g}<extra></extra>",
    )
    if data.current is not None:
        figure.add_vline(x=data.current, line={"color": ACCENT, "dash": "dash"})
    figure.update_xaxes(title_text="radius of the Sakoe-Chiba band")
    figure.update_yaxes(title_text="cost of the path", rangemode="tozero")
    enough = data.radii[np.flatnonzero(data.costs <= np.nanmin(data.costs) * (1 + 1e-9))[0]]
    note = (
        "Radius 0 aligns value by value, if both series are of one length."
        " A wider band never costs more."
    )
    return finish(figure, f"From the radius {enough} on, the cost is the smallest.", note, 300)
