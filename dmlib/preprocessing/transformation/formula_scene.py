"""A formula over columns: the columns that it names, and the results of its operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import evenly, jitter
from dmlib.pictures.marks import NO_CLASS, Points
from dmlib.pictures.places import visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.preprocessing.transformation.formula_ledger import (
    few_classes,
    formula_blocks,
    formula_caption,
)
from dmlib.preprocessing.transformation.formula_transformer import FormulaStep
from dmlib.preprocessing.transformation.rows_scene import class_colors
from dmlib.problem import Problem

MAX_COLUMNS, MAX_ROWS = 13, 200  # of the picture


def formula_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the steps of a formula; every column and result has its own axis from 0 to 1."""
    problem, model = run.problem, run.fitted
    named = run.trace.steps[0].columns[:MAX_COLUMNS] or model.columns_[:1]
    classes, rows = few_classes(problem), evenly(len(problem.X), MAX_ROWS)
    codes = class_colors(problem) if classes else np.full(len(problem.X), NO_CLASS, np.uint8)
    levels = len(classes) - 1 - codes[rows] if classes else np.zeros(len(rows))

    def points(panel: str, x: Floats, y: Floats, chosen: Any, **data: Any) -> Points:
        numbers, colors = problem.rows[chosen] + 1, codes[chosen]
        x = _from_0_to_1(x)[chosen]
        marks = {"color": colors, "numbers": numbers, "symbol": [0], "size": [2.5]}
        return Points(panel=panel, x=x, y=y, **marks, **data)

    strips = []
    for i, name in enumerate(named):
        x, height = problem.X[:, model.columns_.index(name)], len(named) - 1 - i
        chosen: Any = rows if i else np.arange(len(x))
        data = {} if i else {"data": True, "labels": problem.labels}
        strips.append(points("data", x, height + jitter(len(chosen), 0.5), chosen, **data))

    def draw(moment: Moment) -> Drawing:
        step: FormulaStep = moment.step
        values = step.values if len(step.values) else np.zeros(len(problem.X))
        column = points("column", values, levels + jitter(len(rows), 0.5), rows)
        marks = [*strips, visible_if(step.phase != "read", column)]
        blocks = formula_blocks(problem, model, step, run.selected)
        return Drawing(marks, formula_caption(model, step), blocks, step.phase)

    up = Axis("column", -0.6, len(named) - 0.4, ticks=named[::-1])
    across = Axis("from its minimum to its maximum", -0.05, 1.05)
    by_class = Axis("", -0.6, max(len(classes), 1) - 0.4, ticks=classes[::-1])
    panels = (Panel("data", across, up, "Columns"), Panel("column", across, by_class, "Formula"))
    legend = [Key(name, code, 0) for code, name in enumerate(classes)]
    notes = [f"{MAX_ROWS} of {len(problem.X)} rows are drawn."] if len(problem.X) > MAX_ROWS else []
    return story(
        run, draw, panels=panels, legend=legend, notes=notes, max_frames=len(run.trace.steps)
    )


def _from_0_to_1(x: Floats) -> Floats:
    """Return numbers on an axis from their minimum to their maximum; a constant in its middle."""
    extent = np.ptp(x)
    return np.asarray((x - x.min()) / extent) if extent > 0 else np.full(len(x), 0.5)
