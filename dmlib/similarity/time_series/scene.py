"""Dynamic time warping as a picture: links of aligned values, and the table with its path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.evenly import evenly
from dmlib.pictures.data import first_scene
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Segments
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, frames_by_phase, story
from dmlib.problem import SeriesProblem
from dmlib.similarity.table_scene import MAX_FRAMES, TablePlot, cell_numbers
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.ledger import Narrator
from dmlib.similarity.time_series.patterns import Distances, moves_of
from dmlib.similarity.time_series.warping import DTWStep

MAX_LINKS = 150  # pairs that are linked at once
SPREAD = 1.15  # from the first series to the second, which is drawn below, in heights of both
SMALL, LARGE = 2.5, 3.5  # radius in pixels of a value of a long series, and of a short one
SHORT = 60  # values of a short series
# From the middle of the last cell of a band towards its edge; dragged there, the radius is the same
EDGE = 0.45
LEGEND = (Key("aligned values", kind="line"),)


def time_series_scene(run: Run[SeriesProblem, DynamicTimeWarping]) -> Scene:
    """Draw a run of dynamic time warping.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.similarity.DynamicTimeWarping`.

    Returns
    -------
    Scene
        Frames for cells or rows of the table, for the path back, and for the end; of very many,
        some.

    Examples
    --------
    >>> from dmlib.problem import prepare_series
    >>> from dmlib.similarity import DynamicTimeWarping
    >>> problem = prepare_series([[1.0, 3.0], [1.0, 4.0]], ["a", "b"])
    >>> scene = time_series_scene(Run.of(problem, DynamicTimeWarping()))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'cell', 'cell', 'cell', 'trace', 'trace', 'done']
    >>> scene.frames[-1].caption
    'Done. The cheapest path aligns 2 pairs at the cost 1; value by value it is 1.'
    """
    problem, steps = run.problem, run.trace.steps
    if not steps or steps[-1].phase != "done":
        return first_scene(run.problem)
    x, y = run.model.transformed(*problem.arguments)
    moves = moves_of(run.model.pattern, Distances(x, y, run.model.metric))
    down, across = problem.names
    table = TablePlot(steps[-1].matrix, moves, down=down, across=across, title="Cost so far, D")
    series = _Series(problem)
    narrator = Narrator(run, moves)
    numbers, note = frames_by_phase(steps, MAX_FRAMES)

    def draw(moment: Moment) -> Drawing:
        step: DTWStep = moment.step
        marks = (*series.marks(step), *table.marks(step))
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(series.panel, table.panel),
        numbers=numbers,
        legend=[*(Key(name, code) for code, name in enumerate(problem.names)), *LEGEND],
        handles=_handles(run, len(problem.values[1])),
        notes=(*series.notes, *note),
    )


def _handles(run: Run[SeriesProblem, DynamicTimeWarping], width: int) -> tuple[Handle, ...]:
    """Return the edge of a Sakoe-Chiba band in the first row, to be dragged."""
    radius = run.model.radius
    if run.model.window != "sakoe-chiba" or radius >= width:
        return ()
    return (Handle("radius", "table", f"radius {radius}", "x", x=radius + EDGE),)


class _Series:
    """Both series over time with the links of aligned values.

    The second series is below the first one, unless the panel is fixed.
    """

    def __init__(self, problem: SeriesProblem) -> None:
        x, y = problem.values
        height = max(np.ptp(x), np.ptp(y))
        is_apart = problem.window is None and height > 0
        shift = float(x.min() - y.max() - (SPREAD - 1) * height) if is_apart else 0.0
        pairs = zip(problem.times, (x, y + shift), strict=True)
        self.places = [np.column_stack(pair) for pair in pairs]
        self.panel = self._panel(problem, "value (second series below)" if shift else "value")
        self.notes: tuple[str, ...] = ()
        if shift:
            note = "The second series is drawn below the first; its values are unchanged."
            self.notes = (note,)
        self._lines = [
            Line(x=places[:, 0], y=places[:, 1], color=code, width=1.5, of="")
            for code, places in enumerate(self.places)
        ]
        self._points = self._value_points(problem)

    def _panel(self, problem: SeriesProblem, label: str) -> Panel:
        if problem.window is not None:
            x, y = problem.window[:2], problem.window[2:]
        else:
            places = np.vstack(self.places)
            x, y = bounds(places[:, 0], 0.03), bounds(places[:, 1])
        return Panel("data", Axis(problem.time, *x), Axis(label, *y), title="Aligned values")

    def _value_points(self, problem: SeriesProblem) -> Points:
        sizes = [len(places) for places in self.places]
        return points_at(
            np.vstack(self.places),
            color=np.repeat(np.arange(2, dtype=np.uint8), sizes),
            size=[LARGE if max(sizes) <= SHORT else SMALL],
            labels=problem.labels,
            classes=problem.names,
            data=True,
        )

    def marks(self, step: DTWStep) -> list[Mark]:
        """Return the links, both series, and the pair of the step."""
        pairs = step.path[evenly(len(step.path), MAX_LINKS)]
        pair = [] if step.phase == "done" else [step.cell]
        numbers = cell_numbers(pairs, len(self.places[1]))
        return [
            self._links(pairs, width=1.0, numbers=numbers, of="cell"),
            *self._lines,
            self._points,
            self._links(pair, width=3.0, of=""),
        ]

    def _links(self, pairs: ArrayLike, **attributes: Any) -> Segments:
        """Return the links of pairs of aligned values, shape (n_pairs, 2)."""
        first, second = np.asarray(pairs, int).reshape(-1, 2).T
        return segments_between(
            self.places[0][first], self.places[1][second], color=[NO_CLASS], **attributes
        )
