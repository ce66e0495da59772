"""The effect of one outlier on the scale of a column: the values before and after scaling."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.pictures.marks import NO_CLASS, Mark, Texts
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.scene import Axis, Handle, Panel
from dmlib.pictures.story import Plot
from dmlib.pictures.words import percent
from dmlib.preprocessing.transformation.algorithm import Rescaler
from dmlib.problem import Problem

MAX_ROWS = 40  # of the picture, without the outlier
FAR = 6.0  # ranges of the column up to which an outlier is in view


def outlier_plot(problem: Problem, scaler: Rescaler, outlier: float) -> tuple[Plot, str]:
    """Return the first column with an outlier, as it is and scaled, and a sentence on it.

    Parameters
    ----------
    problem : Problem
        The table.
    scaler : Rescaler
        With the scale of the column.
    outlier : float
        Its place: 0 is the smallest value of the column, 1 the largest.
    """
    x, name = problem.X[:, 0], problem.features[0]
    across = Axis(f"{name}: minimum 0, maximum 1", -0.3, FAR + 0.3)
    panel = Panel("outlier", across, Axis("", -0.5, 1.7), "One outlier", side=True)
    handle = Handle("outlier", "outlier", "outlier", "x", float(np.clip(outlier, 0.0, FAR)))
    bulk = x[evenly(len(x), MAX_ROWS)]
    marks: list[Mark] = []
    if bulk.max() <= bulk.min():
        remark = f"{name} is constant."
    else:
        try:
            scaled = _scaled(scaler, bulk, outlier)
        except ValueError as refusal:
            remark = str(refusal)
        else:
            marks = _marks(np.append((bulk - bulk.min()) / np.ptp(bulk), outlier), scaled)
            share = f"{percent(np.ptp(scaled[:-1]))} of the width that they had"
            remark = f"Because of the outlier the other values of {name} keep {share}."
    return Plot(panel, lambda moment: marks, [handle]), remark


def _scaled(scaler: Rescaler, bulk: Floats, outlier: float) -> Floats:
    """Return the scaled values and outlier, from 0, in units of the range without the outlier.

    Z-scores and powers also move the values: only their distances are compared.
    """
    low, high = bulk.min(), bulk.max()
    values = np.append(bulk, low + outlier * (high - low))[:, None]
    without = clone(scaler).fit(bulk[:, None])
    scaled = clone(scaler).fit(values).transform(values).ravel()
    start, end = without.transform([[low], [high]]).ravel()
    return np.asarray((scaled - scaled[:-1].min()) / (end - start or 1.0))


def _marks(raw: Floats, scaled: Floats) -> list[Mark]:
    """Return the values above, the scaled ones below, and lines between them."""
    above, below = _row(raw, 1.0), _row(scaled, 0.0)
    color = np.append(np.full(len(raw) - 1, NO_CLASS), 1).astype(np.uint8)
    return [
        segments_between(above, below, panel="outlier", color=color, width=0.6, of=""),
        points_at(above, panel="outlier", color=color, size=[2.5], of=""),
        points_at(below, panel="outlier", color=color, size=[2.5], of=""),
        Texts(
            panel="outlier",
            x=[-0.2, -0.2],
            y=[1.3, -0.3],
            text=("as it is", "scaled"),
            anchor="start",
        ),
    ]


def _row(x: Floats, y: float) -> Floats:
    return np.column_stack([np.clip(x, -0.3, FAR + 0.3), np.full(len(x), y)])
