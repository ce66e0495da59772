"""Measures of clusterings against the number of clusters, below each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import MUTED


class KCurve(NamedTuple):
    """A measure for several numbers of clusters.

    Attributes
    ----------
    name : str
        The measure.
    k : ndarray of shape (n_curve,)
        The numbers of clusters.
    values : ndarray of shape (n_curve,)
        The measure.
    chosen : int or None
        The number of clusters that gets a star.
    """

    name: str
    k: NDArray[np.intp]
    values: Floats
    chosen: int | None = None


def k_curves(curves: Sequence[KCurve], current: int) -> go.Figure:
    """Draw curves over k, the first one from 0 on, with the current k as a dotted line."""
    figure = make_subplots(rows=len(curves), cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, (name, k, values, chosen) in enumerate(curves, start=1):
        star = k == chosen
        figure.add_scatter(
            x=k,
            y=values,
            mode="lines+markers",
            marker={"size": np.where(star, 14, 7), "symbol": np.where(star, "star", "circle")},
            hovertemplate=f"k = %{{x}}<br>{name} %{{y:.5g}}<extra></extra>",
            row=row,
            col=1,
        )
        mode = "tozero" if row == 1 else "normal"
        figure.update_yaxes(title_text=name, rangemode=mode, row=row, col=1)
    k_max = max(int(curve.k.max(initial=2)) for curve in curves)
    if current <= k_max:
        figure.add_vline(x=current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(dtick=1, showgrid=False, range=[0.6, k_max + 0.4])
    figure.update_xaxes(title_text="clusters, k", row=len(curves), col=1)
    return figure
