"""The strip of resampling: a line for each split, with a cell for each row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation.resampling.splitting import BOOTSTRAPS, GROUPED, Split
from dmlib.pictures.marks import NO_CLASS, Mark, Raster, Texts
from dmlib.pictures.motion import thin
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.problem import Problem

MAX_COLUMNS = 300
MAX_SPLITS = 40
MAX_NAMES = 12  # of splits
PALE, MAX_PALE = 70, 140  # strengths of training rows
FULL = 255  # strength of test rows
BOX = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])


def strip_plot(problem: Problem, model: Any, splits: Sequence[Split]) -> Plot:
    """Return a line of cells for each split: strong for test rows, pale for training rows."""
    y = np.asarray(problem.y)[problem.trained]
    order = np.arange(len(y)) if model.scheme == GROUPED else np.argsort(y, kind="stable")
    # Rows and splits of one image, which is the same in all frames: a story thins only the steps.
    columns = order[thin(len(order), MAX_COLUMNS)]
    lines = thin(len(splits), MAX_SPLITS)
    strengths = [_strengths(splits[line], len(y), model.scheme)[columns] for line in lines]
    color = np.zeros(len(y)) if model.NUMBERS else y % NO_CLASS
    n = len(columns)
    k = len(lines)
    raster = Raster(
        panel="strip",
        pixels=np.tile(color[columns], k).astype(np.uint8),
        shade=np.concatenate(strengths).astype(np.uint8),
        width=n,
        height=k,
        extent=(0.0, float(n), -float(k), 0.0),
        opacity=0.95,
        crisp=True,
    )
    names = _names(lines, n)

    def marks(moment: Moment) -> list[Mark]:
        place = np.flatnonzero(lines == moment.step.index)
        box = [0.0, -float(place[0])] + BOX * [n, -1.0] if place.size else NOWHERE
        return [raster, line_through(box, panel="strip", width=2.5), names]

    return Plot(_panel(model, n, k, len(y)), marks)


def _strengths(split: Split, n_rows: int, scheme: str) -> NDArray[np.intp]:
    """Return the strength of the colour of each row in a split."""
    n_times = np.bincount(split.train, minlength=n_rows)
    divisor = 2 if scheme in BOOTSTRAPS else 1
    strengths = np.minimum(PALE * n_times // divisor, MAX_PALE)
    strengths[split.test] = FULL
    return strengths


def _names(lines: NDArray[np.intp], n_columns: int) -> Texts:
    """Return the numbers of the splits, of many at most ``MAX_NAMES``."""
    rows = np.arange(len(lines))[:: -(-len(lines) // MAX_NAMES)]
    return Texts(
        panel="strip",
        x=np.full(len(rows), -0.012 * n_columns),
        y=-rows - 0.5,
        text=[str(int(line) + 1) for line in lines[rows]],
        anchor="end",
        dy=4.0,
        of="",
    )


def _panel(model: Any, n_columns: int, n_lines: int, n_rows: int) -> Panel:
    """Return the panel, with room for the numbers of the splits."""
    label = "row, by target" if model.NUMBERS else "row, by class"
    if model.scheme == GROUPED:
        label = "row"
    if n_columns < n_rows:
        label = f"{label} ({n_columns} of {n_rows})"
    margin = 0.05 if n_lines < 10 else 0.1
    x = Axis(label, -margin * n_columns, float(n_columns), integer=True)
    y = Axis("split", -float(n_lines), 0.0, ticks=[""])
    return Panel("strip", x, y, "Splits (strong: test rows)")
