"""Layout of all figures: no background, no frame, labelled axes, names as plain text."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

CLEAR = "rgba(0,0,0,0)"
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "cross", "star", "y-up")
"""The symbol of each class, in the stage's order."""
ACCENT, MUTED = "#2f7fd0", "#7d8590"
"""What a figure is about and what it is compared with: at least 3:1 on a light and on a dark
page."""
CLASSES = 8  # colours of the theme
LONGEST = 28  # characters of a name
LINE = 42  # characters of a line of a title, so that it fits on a phone; a note is set smaller


def plain(text: object) -> str:
    """Return a name as a label that shows it literally: plotly reads tags and entities in labels.

    Examples
    --------
    >>> plain("<b>a & b</b>")
    '&lt;b&gt;a &amp; b&lt;/b&gt;'
    """
    name = " ".join(str(text).split())
    if len(name) > LONGEST:
        name = name[: LONGEST - 1] + "…"
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def finish(
    figure: go.Figure, title: str, note: str, height: int, *, legend: bool = False, **layout: Any
) -> go.Figure:
    """Give a figure its title and the layout that all figures share; colours are left to the theme.

    Parameters
    ----------
    figure : Figure
        It is changed in place.
    title : str
        What it shows, with its numbers.
    note : str
        How to read it; set smaller.
    height : int
        In pixels, without the title.
    legend : bool
        Whether there is a legend, below.
    **layout
        More of plotly's layout.
    """
    lines = [
        *wrap(title, LINE),
        *(f'<span style="font-size:12px">{line}</span>' for line in wrap(note, LINE + 8)),
    ]
    top = 22 * len(lines) + 24
    if legend:
        layout["legend"] = {"orientation": "h", "y": -0.25}
    colorway = figure.layout.template.layout.colorway
    figure.update_layout(
        title={
            "text": "<br>".join(lines),
            "font": {"size": 14},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1 - 18 / (height + top),
            "yref": "container",
            "yanchor": "top",
        },
        height=height + top,
        margin={"l": 64, "r": 16, "t": top, "b": 52},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        showlegend=legend,
        # Streamlit fills the ten colours of its template from the theme; with fewer in the theme,
        # plotly would find invalid ones and take none of them.
        colorway=colorway and colorway[:CLASSES],
        **layout,
    )
    return figure


def class_color(figure: go.Figure, code: int) -> str | None:
    """Return the colour of a class, or None without a theme.

    Examples
    --------
    >>> class_color(go.Figure(), 0) == class_color(go.Figure(), CLASSES)
    True
    """
    colorway = figure.layout.template.layout.colorway
    return colorway[code % min(CLASSES, len(colorway))] if colorway else None
