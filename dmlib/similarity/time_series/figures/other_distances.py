"""Other distances of the same two series: Euclid, LCSS, ERP."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from dmlib.pictures.figures.style import CLEAR, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import num
from dmlib.problem import SeriesProblem
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.distances import erp, euclidean_distance, lcss
from dmlib.similarity.time_series.warping import dtw_distance, transformed

TOLERANCE = 0.25  # standard deviations of both series: two values that are nearer match


class OtherDistance(NamedTuple):
    """One distance of two series.

    Attributes
    ----------
    name : str
        Its name.
    value : str
        Its value, or why there is none.
    shift : str
        How it treats a value that comes too early or too late.
    """

    name: str
    value: str
    shift: str


def other_distances(run: Run[SeriesProblem, DynamicTimeWarping]) -> go.Figure:
    """Draw the table of distances of the run's series."""
    return plot_other_distances(other_distances_data(run.model, *run.problem.arguments))


def other_distances_data(
    model: DynamicTimeWarping, x: ArrayLike, y: ArrayLike
) -> list[OtherDistance]:
    """Return the distances of two series, as the model transforms them.

    Examples
    --------
    >>> for row in other_distances_data(DynamicTimeWarping(), [0, 0, 4, 0], [0, 4, 0, 0])[:2]:
    ...     print(row.name, row.value)
    Euclidean distance 5.65685
    DTW, absolute 0
    """
    first, second = model.transformed(x, y)
    n = min(len(first), len(second))
    euclidean, derivative = "the lengths differ", "too short"
    if len(first) == len(second):
        euclidean = num(euclidean_distance(first, second))
    if n > 2:
        slopes = [transformed(series, "derivative") for series in (x, y)]
        derivative = num(dtw_distance(slopes[0], slopes[1]))
    absolute = num(dtw_distance(first, second))
    squared = num(dtw_distance(first, second, metric="squared"))
    epsilon = TOLERANCE * float(np.concatenate([first, second]).std())
    common = lcss(first, second, epsilon)
    matches = f"{common} of {n} match: 1 − {common}/{n} = {num(1 - common / n)}"
    skips = f"leaves it out; values match within ε = {num(epsilon)}"
    constant = "compares it with the constant g = 0; a metric"
    return [
        OtherDistance("Euclidean distance", euclidean, "compares value i with value i"),
        OtherDistance("DTW, absolute", absolute, "aligns it with a similar value"),
        OtherDistance("DTW, squared", squared, "the same, √Σ of squares: outliers count more"),
        OtherDistance("Derivative DTW", derivative, "aligns rises with rises; levels do not count"),
        OtherDistance("LCSS", matches, skips),
        OtherDistance("ERP", num(erp(first, second)), constant),
    ]


def plot_other_distances(distances: list[OtherDistance]) -> go.Figure:
    """Draw the distances as a table."""
    head = ["distance", "value", "a value that comes early or late"]
    style = {"align": "left", "fill_color": CLEAR, "line_color": MUTED}
    cells = {"values": list(zip(*distances, strict=True)), **style}
    table = go.Table(columnwidth=[2, 3, 4], header={"values": head, **style}, cells=cells)
    note = (
        "The numbers have different units:"
        " each is compared among pairs of series, not with the others."
    )
    return finish(go.Figure(table), "Six distances of these two series.", note, 300)
