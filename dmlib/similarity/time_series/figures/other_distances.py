"""Other distances of the same two series: Euclid, LCSS, ERP."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from dmlib.pictures.figures.style import CLEAR, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import num
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
    how : str
        What it does with a value that comes too early or too late.
    """

    name: str
    value: str
    how: str


def other_distances(run: Run) -> go.Figure:
    """Draw the table of distances of the run's series."""
    return plot_other_distances(other_distances_data(run.model, *run.problem.arguments))


def other_distances_data(
    model: DynamicTimeWarping, x: ArrayLike, y: ArrayLike
) -> list[OtherDistance]:
    """Return the distances of two series, as the model transforms them.

    Examples
    --------
    >>> for found in other_distances_data(DynamicTimeWarping(), [0, 0, 4, 0], [0, 4, 0, 0])[:2]:
    ...     print(found.name, found.value)
    Euclidean distance 5.65685
    DTW, absolute 0
    """
    one, other = model.transformed(x, y)
    same = len(one) == len(other)
    epsilon = TOLERANCE * float(np.concatenate([one, other]).std())
    shorter = min(len(one), len(other))
    common = lcss(one, other, epsilon)
    slopes = (
        [transformed(each, "derivative") for each in (x, y)]
        if min(len(one), len(other)) > 2
        else None
    )
    return [
        OtherDistance(
            "Euclidean distance",
            num(euclidean_distance(one, other)) if same else "the lengths differ",
            "compares value i with value i",
        ),
        OtherDistance(
            "DTW, absolute", num(dtw_distance(one, other)), "aligns it with a similar value"
        ),
        OtherDistance(
            "DTW, squared",
            num(dtw_distance(one, other, metric="squared")),
            "the same, √Σ of squares: outliers count more",
        ),
        OtherDistance(
            "Derivative DTW",
            num(dtw_distance(slopes[0], slopes[1])) if slopes else "too short",
            "aligns rises with rises; levels do not count",
        ),
        OtherDistance(
            "LCSS",
            f"{common} of {shorter} match: 1 − {common}/{shorter} = {num(1 - common / shorter)}",
            f"leaves it out; values match within ε = {num(epsilon)}",
        ),
        OtherDistance("ERP", num(erp(one, other)), "compares it with the constant g = 0; a metric"),
    ]


def plot_other_distances(found: list[OtherDistance]) -> go.Figure:
    """Draw the distances as a table."""
    head = ["distance", "value", "a value that comes early or late"]
    style = {"align": "left", "fill_color": CLEAR, "line_color": MUTED}
    cells = {"values": list(zip(*found, strict=True)), **style}
    table = go.Table(columnwidth=[2, 3, 4], header={"values": head, **style}, cells=cells)
    note = (
        "The numbers have different units: each is compared among pairs of series, not with the"
        " others."
    )
    return finish(go.Figure(table), "Six distances of these two series.", note, 300)
