"""Unit balls of several distances."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import class_color, finish
from dmlib.pictures.run import Run
from dmlib.similarity.measures.algorithm import PairMeasure, Space
from dmlib.similarity.measures.scene import ball

POWERS = (0.5, 1.0, 1.5, 2.0, 4.0)


def unit_balls(run: Run[Any, PairMeasure]) -> go.Figure:
    """Draw the points at the distance 1 from the origin, for several powers and Chebyshev."""
    figure = go.Figure()
    square = np.array([[0.0, 0.0], [1.0, 1.0]])
    spaces = [(f"p = {p:g}", Space(square, "minkowski", p)) for p in POWERS]
    spaces.append(("p → ∞ (Chebyshev)", Space(square, "chebyshev", 2.0)))
    for code, (name, space) in enumerate(spaces):
        x, y = ball(space, np.zeros(2), 1.0).T
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            name=name,
            line={"color": class_color(figure, code)},
            hovertemplate=f"{name}<br>(%{{x:.2f}}, %{{y:.2f}})<extra></extra>",
        )
    figure.update_yaxes(scaleanchor="x", title_text="difference in the second column")
    figure.update_xaxes(title_text="difference in the first column")
    note = (
        "Manhattan is p = 1, Euclid p = 2."
        " A non-convex ball (p < 1) violates the triangle inequality."
    )
    finish(figure, "All points that are 1 from the middle.", note, 520)
    return figure.update_layout(showlegend=True)
