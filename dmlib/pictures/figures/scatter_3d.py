"""Points in three dimensions, to be turned with the mouse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import finish

SYMBOLS = ("circle", "square", "diamond", "cross", "x")  # those that there are in three dimensions


def plot_scatter_3d(
    points: Floats,
    axes: Sequence[str],
    groups: Sequence[tuple[int, str, NDArray[np.bool_]]],
    rows: NDArray[np.intp],
    *,
    title: str,
    note: str,
    aspect: str = "data",
) -> go.Figure:
    """Draw points, shape (n_samples, 3), in groups of (code, name, members).

    ``rows`` are their numbers, and an ``aspect`` of "cube" gives each axis the same length.
    """
    figure = go.Figure()
    for code, name, members in groups:
        x, y, z = points[members].T
        figure.add_scatter3d(
            x=x,
            y=y,
            z=z,
            mode="markers",
            name=name,
            marker={"symbol": SYMBOLS[code % len(SYMBOLS)], "size": 3.5, "opacity": 0.85},
            customdata=rows[members],
            hovertemplate=f"row %{{customdata}} · {name}<extra></extra>",
        )
    titles = {
        f"{letter}axis": {"title": {"text": text}} for letter, text in zip("xyz", axes, strict=True)
    }
    finish(figure, title, note, 480, scene={"aspectmode": aspect, **titles})
    return figure.update_layout(
        showlegend=len(groups) > 1,
        legend={"orientation": "h", "y": -0.05, "itemsizing": "constant"},
    )
