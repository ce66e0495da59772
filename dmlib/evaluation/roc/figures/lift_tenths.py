"""Lift by groups of rows, the best scored first."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.evaluation import LiftCurve, ThresholdSweep, lift_curve
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def lift_tenths_data(sweep: ThresholdSweep) -> LiftCurve:
    """Return the lift of the scores of a fitted sweep, in ten groups (fewer for fewer rows).

    Examples
    --------
    >>> sweep = ThresholdSweep("column").fit([[0.9], [0.8], [0.4], [0.1]], [1, 1, 0, 0])
    >>> lift_tenths_data(sweep).table.lift.round(3).tolist()
    [2.0, 2.0, 1.333, 1.0]
    """
    is_scored = ~np.isnan(sweep.scores_)
    return lift_curve(sweep.positive_[is_scored], sweep.scores_[is_scored])


def lift_tenths(run: Run[Problem, ThresholdSweep]) -> go.Figure:
    """Draw the lift of each tenth of the rows."""
    return plot_lift_tenths(lift_tenths_data(run.fitted))


def plot_lift_tenths(data: LiftCurve) -> go.Figure:
    """Draw the lift of each group as a bar, and the lift of all groups so far as a line."""
    table = data.table
    groups = np.arange(1, len(table.n) + 1)
    figure = go.Figure()
    figure.add_bar(
        x=groups,
        y=table.group_lift,
        marker={"color": ACCENT},
        customdata=table.n,
        hovertemplate="group %{x}, %{customdata} rows<br>lift %{y:.3f}<extra></extra>",
    )
    figure.add_scatter(
        x=groups,
        y=table.lift,
        mode="lines+markers",
        line={"color": MUTED, "width": 2},
        customdata=table.gain,
        hovertemplate=(
            "the first %{x} groups<br>lift %{y:.3f}, found %{customdata:.1%}<extra></extra>"
        ),
    )
    figure.add_hline(y=1, line={"dash": "dot", "width": 1.5, "color": MUTED})
    figure.update_xaxes(title_text="group of rows, highest scores first", dtick=1, showgrid=False)
    figure.update_yaxes(title_text="lift", rangemode="tozero")
    note = "Bars: each group alone. Line: all groups up to it. Dotted: randomly drawn rows."
    if table.tied.any():
        note += " Where a border cuts tied scores, the mean over their orders is shown."
    title = (
        f"The first {table.n[0]} rows hold {table.lift[0]:.3g} times as many positives as randomly"
        " drawn rows."
    )
    return finish(figure, title, note, 340)
