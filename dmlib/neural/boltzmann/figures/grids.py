"""Patterns of cells side by side and below each other."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import ACCENT, CLEAR

FAINT = -0.03  # the value without colour, below 0: a cell that is off is told from the paper


def plot_grids(grids: Floats, names: Sequence[str]) -> go.Figure:
    """Draw grids of cells, shape (n_rows, n_columns, height, width), with a name for each row."""
    n_rows, n_columns = grids.shape[:2]
    figure = make_subplots(n_rows, n_columns, horizontal_spacing=0.01, vertical_spacing=0.02)
    colors = [[0, CLEAR], [1, ACCENT]]
    style = {"zmin": FAINT, "zmax": 1, "colorscale": colors, "showscale": False}
    gaps = {"xgap": 1, "ygap": 1}
    for i, row in enumerate(grids):
        for j, grid in enumerate(row):
            figure.add_trace(go.Heatmap(z=grid[::-1], **style, **gaps), i + 1, j + 1)
    figure.update_xaxes(visible=False, constrain="domain")
    figure.update_yaxes(showticklabels=False, showgrid=False, scaleanchor="x", constrain="domain")
    for i, name in enumerate(names):
        figure.update_yaxes(title_text=name, row=i + 1, col=1)
    return figure
