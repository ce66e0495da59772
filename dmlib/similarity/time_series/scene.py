"""Dynamic time warping as a picture: the two series with the links of aligned values, and the table with its path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.data.series import series_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Segments
from dmlib.pictures.motion import thin, thinned_note, xy
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.problem import SeriesProblem
from dmlib.similarity.table_scene import TableFrame, TablePicture, cell_numbers
from dmlib.similarity.time_series.ledger import Teller
from dmlib.similarity.time_series.patterns import Distances, moves_of
from dmlib.similarity.time_series.warping import DTWStep

MOST_FILLED, MOST_TRACED = 120, 80  # frames of either part of a run
MOST_LINKS = 150  # pairs that are linked at once
APART = 1.15  # how far the second series is moved down, in heights of both
SMALL, LARGE = 2.5, 3.5  # radius in pixels of a value of a long series, and of a short one
SHORT = 60  # values of a short series
EDGE = 0.45  # from the middle of the last cell of a band towards its edge; dragged there, the radius is the same


def time_series_scene(run: Run) -> Scene:
    """Draw a run of dynamic time warping.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.similarity.DynamicTimeWarping`.

    Returns
    -------
    Scene
        Frames for cells or rows of the table, for the path back, and for the end; of very many, some.

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
        return series_scene(problem)
    shown, notes = _shown(steps)
    x, y = run.model.transformed(*problem.arguments)
    moves = moves_of(run.model.pattern, Distances(x, y, run.model.metric))
    back = [(move.rows, move.columns) for move in moves]
    across, down = problem.names[1], problem.names[0]
    table = TablePicture(
        steps[-1].matrix, [_table_frame(step, back) for step in shown], down=down, across=across, title="Cost so far, D"
    )
    series = _Series(problem, shown, apart=problem.window is None)
    teller = Teller(run, moves)
    frames = Deferred(teller.frame, shown)
    legend = tuple(Key(name, code) for code, name in enumerate(problem.names))
    panels = (series.panel, table.panel)
    handles = _handles(run, len(problem.values[1]))
    marks = [*series.marks(), *table.marks()]
    return Scene(panels, marks, frames, (*problem.notes, *series.notes(), *notes), handles, legend)


def _shown(steps: Sequence[DTWStep]) -> tuple[list[DTWStep], tuple[str, ...]]:
    """Return the steps that have a frame, and the sentence on the others."""
    filling = [step for step in steps if step.phase in ("start", "cell")]
    tracing = [step for step in steps if step.phase == "trace"]
    some, back = thin(len(filling), MOST_FILLED), thin(len(tracing), MOST_TRACED)
    shown = [*(filling[i] for i in some), *(tracing[i] for i in back), steps[-1]]
    return shown, thinned_note(some) or thinned_note(back)


def _table_frame(step: DTWStep, back: Sequence[tuple[int, int]]) -> TableFrame:
    """Return what a step shows of the table: no move where none is possible."""
    i, j = step.cell
    possible = [k for k, candidate in enumerate(step.candidates) if np.isfinite(candidate)]
    moving = step.phase != "done"
    sources = [(i - back[k][0], j - back[k][1]) for k in possible] if moving else []
    chosen_one = possible.index(step.choice) if step.choice >= 0 and moving else -1
    return TableFrame(step.cell, step.n_filled, sources, chosen_one, step.path.tolist())


def _handles(run: Run, width: int) -> tuple[Handle, ...]:
    """Return the edge of a Sakoe-Chiba band in the first row, to be dragged."""
    radius = run.model.radius
    if run.model.window != "sakoe-chiba" or radius >= width:
        return ()
    return (Handle("radius", "table", f"radius {radius}", "x", x=radius + EDGE),)


class _Series:
    """The panel of both series."""

    def __init__(self, problem: SeriesProblem, steps: Sequence[DTWStep], *, apart: bool) -> None:
        self.problem, self.steps = problem, steps
        x, y = problem.values
        height = max(np.ptp(x), np.ptp(y))
        self.shift = float(x.min() - y.max() - (APART - 1) * height) if apart and height > 0 else 0.0
        self.places = [np.column_stack(each) for each in zip(problem.times, (x, y + self.shift), strict=True)]

    @property
    def panel(self) -> Panel:
        """The panel: times across, values up."""
        if self.problem.window is not None:
            x, y = self.problem.window[:2], self.problem.window[2:]
        else:
            all_places = np.vstack(self.places)
            x, y = bounds(all_places[:, 0], 0.03), bounds(all_places[:, 1])
        label = "value, the second series moved" if self.shift else "value"
        return Panel("data", Axis(self.problem.time, *x), Axis(label, *y), title="Aligned values")

    def notes(self) -> tuple[str, ...]:
        """Say that the second series is moved."""
        return ("The second series is drawn below the first; its values are unchanged.",) if self.shift else ()

    def marks(self) -> list[Mark]:
        """Return the links, both series, and the pair of the step."""
        pairs = Deferred(lambda s: s.path[thin(len(s.path), MOST_LINKS)].reshape(-1, 2), self.steps)
        cells = PerFrame(Deferred(lambda some: cell_numbers(some, len(self.places[1])), pairs))
        here = Deferred(lambda s: np.array([] if s.phase == "done" else [s.cell], int).reshape(-1, 2), self.steps)
        drawn = [
            Line(x=places[:, 0], y=places[:, 1], color=code, width=1.5, of="")
            for code, places in enumerate(self.places)
        ]
        links = self._links(pairs, width=1.0, numbers=cells, of="cell")
        return [links, *drawn, self._points(), self._links(here, width=3.0, of="")]

    def _links(self, pairs: Sequence[NDArray[np.intp]], **more: Any) -> Segments:
        """Return the links of aligned values, of each frame an array of shape (n_pairs, 2)."""
        (x0, y0), (x1, y1) = (xy(Deferred(lambda some, k=k: self.places[k][some[:, k]], pairs)) for k in (0, 1))
        return Segments(x0=x0, y0=y0, x1=x1, y1=y1, color=[NO_CLASS], **more)

    def _points(self) -> Points:
        problem = self.problem
        sizes = [len(each) for each in self.places]
        x, y = np.vstack(self.places).T
        return Points(
            x=x,
            y=y,
            color=np.repeat(np.arange(2, dtype=np.uint8), sizes),
            size=[LARGE if max(sizes) <= SHORT else SMALL],
            labels=problem.labels,
            classes=problem.names,
            data=True,
        )
