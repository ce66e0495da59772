"""A column that is cut, as a picture: its numbers with the cuts, the candidates, the intervals."""

from __future__ import annotations

import numpy as np

from dmlib.evenly import jitter
from dmlib.params import Integer
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Moment, Plot, draw_plots, needs_steps, story
from dmlib.preprocessing.discretisation.algorithm import Discretizer, information
from dmlib.preprocessing.discretisation.binarizer import Binarizer
from dmlib.preprocessing.discretisation.column_scene import CutColumn
from dmlib.preprocessing.discretisation.ledger import (
    BinarizerNarrator,
    DiscretizerNarrator,
    Narrator,
)
from dmlib.preprocessing.discretisation.trials_scene import codes_plot, counts_plot, trials_plot
from dmlib.problem import Problem

OPTIONS = {"column": Option(Integer(0, 1_000_000), 0)}
"""The column of the picture, from 1; 0 for the one whose intervals are most informative."""
MAX_FRAMES = 40


@needs_steps
def discretisation_scene(run: Run[Problem, Discretizer | Binarizer]) -> Scene:
    """Draw the cuts of one column.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.preprocessing import Discretizer
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 5.0, 6.0]}), ["a"])
    >>> scene = discretisation_scene(Run.of(problem, Discretizer(n_bins=2)))
    >>> [frame.phase for frame in scene.frames]
    ['column', 'cut', 'done']
    """
    number = shown_column(run)
    column = CutColumn(run.problem, run.fitted, number)
    steps = [step for step in run.trace.steps if step.column in (number, -1)]
    if isinstance(run.model, Binarizer):
        second = codes_plot(column)
    elif run.model.strategy in ("entropy", "chi_merge"):
        second = trials_plot(column, steps)
    else:
        second = counts_plot(column, steps)
    plots = (_strip_plot(column), second, _shares_plot(column))
    narrator = _narrator(run, number)

    return story(
        run,
        draw_plots(plots, narrator.caption_and_ledger),
        panels=[plot.panel for plot in plots],
        steps=steps,
        legend=[Key(name, c) for c, name in enumerate(column.classes) if column.has_classes],
        notes=() if column.names else ("An interval holds its upper end.",),
        max_frames=MAX_FRAMES,
    )


def _narrator(run: Run[Problem, Discretizer | Binarizer], column: int) -> Narrator:
    model = run.fitted
    if isinstance(model, Binarizer):
        return BinarizerNarrator(run.problem, model, column, run.selected)
    return DiscretizerNarrator(run.problem, model, column, run.selected)


def shown_column(run: Run[Problem, Discretizer | Binarizer]) -> int:
    """Return the number of the column of the picture, from 0."""
    number = int(chosen(run, OPTIONS)["column"])
    problem = run.problem
    if 1 <= number <= len(problem.features):
        return number - 1
    if problem.y is None or not problem.classes:
        return 0
    pairs = zip(run.fitted.cuts_, problem.X.T, strict=True)
    return int(np.argmax([information(np.searchsorted(cuts, x), problem.y) for cuts, x in pairs]))


def _strip_plot(column: CutColumn) -> Plot:
    """Return the rows by their number, one strip a class, with the cuts."""
    k, n = len(column.classes), len(column.x)
    jitter_x = jitter(n, 0.6, 0.7548776662) if column.names else np.zeros(n)
    up = Axis("", -0.6, k - 0.4)
    color = np.full(n, NO_CLASS, np.uint8)
    if column.has_classes:
        up = Axis("class", -0.6, k - 0.4, ticks=tuple(reversed(column.classes)))
        color = column.y.astype(np.uint8)
    rows = Points(
        x=column.x + jitter_x,
        y=k - 1 - column.y + jitter(n, 0.7),
        color=color,
        size=[3.0],
        labels=column.problem.labels,
        numbers=column.problem.rows + 1,
        data=True,
    )
    panel = Panel("data", column.axis, up)
    return Plot(panel, lambda moment: (rows, *column.cut_lines(moment.step, panel)))


def _shares_plot(column: CutColumn) -> Plot:
    """Return the classes of each interval as stacked bars of its width."""
    title = "Classes of each interval" if column.has_classes else "Fraction of the rows"
    panel = Panel("shares", column.axis, Axis("share", 0.0, 1.0), title, side=True)

    def marks(moment: Moment) -> list[Mark]:
        cuts = column.cuts_at(moment.step)
        tops = np.cumsum(column.shares(cuts), axis=1)
        floors = np.column_stack([np.zeros(len(tops)), tops[:, :-1]])
        places = column.intervals(cuts)
        bars = [
            Rects(panel="shares", y0=floors[:, c], y1=tops[:, c], color=[c], **places)
            for c in range(len(column.classes))
        ]
        return [*bars, *column.cut_lines(moment.step, panel)]

    return Plot(panel, marks)
