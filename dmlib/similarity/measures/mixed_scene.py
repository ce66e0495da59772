"""Two rows of mixed columns as a picture: the distance in each column, beside those of rows."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.marks import Line, Rects
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.plane import data_panel, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Plot
from dmlib.problem import Problem
from dmlib.similarity.measures.algorithm import MeasureStep
from dmlib.similarity.measures.mixed import MixedDistances, MixedSpace, chosen_rows
from dmlib.similarity.measures.mixed_ledger import MixedNarrator
from dmlib.similarity.measures.pairs_scene import B, has_reached, pair_scene

MAX_BARS = 16  # columns whose bars are drawn


def mixed_scene(run: Run[Problem, MixedDistances]) -> Scene:
    """Draw two rows and the distance between them.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.similarity.measures.mixed import MixedDistances
    >>> frame = pd.DataFrame({"a": [0.0, 3.0, 1.0], "b": ["red", "blue", "red"]})
    >>> scene = mixed_scene(Run.of(prepare(frame, ["a", "b"]), MixedDistances()))
    >>> [panel.name for panel in scene.panels]
    ['data', 'columns', 'matrix', 'detours']
    """
    problem, model = run.problem, run.fitted
    space = model.space(problem.data)
    places = problem.points[chosen_rows(len(space.X), model.first, model.second)]
    panel = data_panel(problem, places, equal=False)
    narrator = MixedNarrator(problem, model, space, run.selected)
    notes = _notes(problem, space)
    return pair_scene(run, narrator, panel, places, [_columns(problem, space)], notes=notes)


def _columns(problem: Problem, space: MixedSpace) -> Plot:
    """Return the distance of both rows in each column up to the current one."""
    k = min(len(problem.features), MAX_BARS)
    y = Axis("column", -0.6, k - 0.4, ticks=problem.features[:k][::-1])
    panel = Panel("columns", Axis("apart", 0.0, 1.05), y, "A to B", side=True)

    def bars(step: MeasureStep) -> Rects:
        lengths = np.nan_to_num(step.terms[:k])
        up = k - 1.0 - np.arange(len(lengths))
        return Rects(
            panel="columns",
            x0=np.zeros(len(lengths)),
            x1=lengths,
            y0=up - 0.35,
            y1=up + 0.35,
            color=[B],
            numbers=k - up,
            of="column",
        )

    def mean(step: MeasureStep) -> Line:
        level = [[step.distance, -0.6], [step.distance, k - 0.4]]
        places = level if has_reached(step, "total") else NOWHERE
        return line_through(places, panel="columns", width=1.5, dash=True, of="")

    if space.metric == "heom":  # no mean of the bars: it may be longer than each
        return Plot(panel, lambda moment: [bars(moment.step)])
    return Plot(panel, lambda moment: (bars(moment.step), mean(moment.step)))


def _notes(problem: Problem, space: MixedSpace) -> tuple[str, ...]:
    kinds = [f"{space.scales.count(scale)} {scale}" for scale in dict.fromkeys(space.scales)]
    scales = f"Columns by their scale: {', '.join(kinds)}; “Column types” under Data changes it."
    notes = (*view_note(problem, "near rows may look far away"), scales)
    n = len(problem.features)
    if n <= MAX_BARS:
        return notes
    return (*notes, f"The bars show the first {MAX_BARS} of {n} columns.")
