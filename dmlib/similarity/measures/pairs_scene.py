"""What all pictures of distances share: the matrix of all pairs, and triples with their detours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.evenly import evenly
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import count
from dmlib.similarity.measures.algorithm import MeasureStep, Space

A, B = 0, 1  # colours of both points
MOST_ROWS = 60  # of the matrix
AFTER = {"start": 0, "column": 1, "total": 2, "nearest": 3, "triples": 4, "done": 5}


def matrix_panel(problem: Any, space: Space) -> tuple[Panel, list[Mark]]:
    """Return the distances of all rows, class by class: the darker, the nearer."""
    n = len(space.X)
    rows = evenly(n, MOST_ROWS)
    if getattr(problem, "y", None) is not None and problem.classes:
        rows = rows[np.argsort(problem.y[rows], kind="stable")]
    told = space.distances(rows)
    shade = 255 * (1 - told / (told.max() or 1.0))
    k = len(rows)
    # titles are short, since three panels stand side by side
    across, up = Axis("dark is near", 0.0, k, ticks=[""]), Axis(count(k, "row", "rows"), 0.0, k, ticks=[""])
    panel = Panel("matrix", across, up, "All distances" if k == n else "Distances", side=True, equal=True)
    raster = Raster(panel="matrix", pixels=shade.astype(np.uint8).ravel(), width=k, height=k,
                    extent=(0.0, float(k), 0.0, float(k)), ramp=True, opacity=1.0, crisp=True)  # fmt: skip
    return panel, [raster]


def detours_panel(space: Space, steps: Sequence[MeasureStep]) -> tuple[Panel, list[Mark]]:
    """Return triples of rows by the direct way and the one over the third: below the line it is no metric."""
    _, broken, lengths = space.triples
    top = float(lengths[:, 0].max(initial=0.0)) * 1.05 or 1.0
    panel = Panel(
        "detours",
        Axis("direct way", 0.0, top),
        Axis("over a third row", 0.0, 1.6 * top),
        "Triangles",
        side=True,
    )
    order = np.argsort(broken, kind="stable")
    x, y = lengths[order, 0], np.minimum(lengths[order, 1], 1.6 * top)
    there = [AFTER[step.phase] >= AFTER["triples"] for step in steps]
    color = np.where(broken[order], B, NO_CLASS).astype(np.uint8)
    marks: list[Mark] = [
        Line(panel="detours", x=[0.0, top], y=[0.0, top], color="muted", dash=True, width=1.5, of=""),
        Points(
            panel="detours", x=PerFrame([x if now else x[:0] for now in there]),
            y=PerFrame([y if now else y[:0] for now in there]),
            color=PerFrame([color if now else color[:0] for now in there]), size=[2.0], of="",
        ),
    ]  # fmt: skip
    return panel, marks
