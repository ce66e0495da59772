"""A kernel matrix as a picture: the points, the matrix, a pair of both, and the eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernel_matrices.algorithm import KernelMatrix
from dmlib.classification.kernel_matrices.algorithm import KernelMatrixStep as Step
from dmlib.classification.kernel_matrices.closure import in_subset
from dmlib.classification.kernel_matrices.ledger import Narrator
from dmlib.pictures.marks import NO_CLASS, Mark, Raster, Rects
from dmlib.pictures.places import line_through, points_at, segments_between, visible_if
from dmlib.pictures.plane import data_panel, data_points, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, data_alone, frames_by_phase, story
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_ROWS = 12  # of the matrix that have a frame of their own
MAX_CLASSES = 8  # that have a colour each
MAX_NAMED = 12  # rows up to which their numbers are written at the matrix
LARGE = 7.0  # radius in pixels of the two rows of the pair
FAINT = 0.25  # opacity of rows outside of the subset


def kernels_scene(run: Run[Problem, KernelMatrix]) -> Scene:
    """Draw the kernel matrix of the rows, sorted by known class, then by the first column.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.KernelMatrix`.

    Returns
    -------
    Scene
        Frames for rows of the matrix, the second kernel, the operation, the eigenvalues, and the
        verdict.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import KernelMatrix
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 4.0]}), ["a", "b"])
    >>> scene = kernels_scene(Run.of(problem, KernelMatrix("linear")))
    >>> scene.frames[1].caption[:54]
    'Row 2: its kernel with row 1 is 11, with itself 25; th'
    """
    problem, steps = run.problem, run.trace.steps
    if not steps or steps[-1].phase != "done":
        return data_alone(run)
    last: Step = steps[-1]
    rows = SortedRows(problem)
    cell = run.options.get("pair") if run.selected is None else None
    pair = None if cell is None else rows.pair(cell)
    narrator = Narrator(problem, last, run.model, run.selected, pair)
    matrix = MatrixPanel(rows, last, narrator.pair)
    spectrum = Spectrum(rows, last)
    numbers, _ = frames_by_phase(steps, {("row",): MAX_ROWS})

    def draw(moment: Moment) -> Drawing:
        step: Step = moment.step
        marks = (
            *_plane(rows, run.model, narrator.pair, step),
            *matrix.marks(step),
            *spectrum.marks(step),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(data_panel(problem, equal=False), matrix.panel(), spectrum.panel()),
        numbers=numbers,
        legend=_legend(rows, last),
        handles=(matrix.handle(),),
        notes=(
            matrix.note(),
            *view_note(problem, "rows with a large kernel may look far apart", "Kernels"),
        ),
    )


class SortedRows:
    """The rows in the order of the matrix: by class, then by the first column.

    Parameters
    ----------
    problem : Problem
        The data.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.n = len(problem.X)
        classes = problem.y if problem.y is not None else np.zeros(self.n)
        self.order = np.lexsort((problem.X[:, 0], classes))
        self.place = np.argsort(self.order)  # of each row in the matrix
        self.has_colors = problem.y is not None and len(problem.classes) <= MAX_CLASSES
        # the colour of negative eigenvalues
        self.negative = len(problem.classes) if self.has_colors else 0

    def pair(self, cell: tuple[int, int]) -> tuple[int, int]:
        """Return the rows of a cell, counted from the lower left; of one beyond, the nearest."""
        across, up = (min(max(place, 0), self.n - 1) for place in cell)
        return int(self.order[self.n - 1 - up]), int(self.order[across])


def _legend(rows: SortedRows, last: Step) -> tuple[Key, ...]:
    """Return the keys of the classes, and of negative eigenvalues where there are any."""
    names = rows.problem.classes if rows.has_colors else ()
    keys = [Key(name, code) for code, name in enumerate(names)]
    if (_eigenvalues(last) < -last.tolerance).any():
        keys.append(Key("negative eigenvalue", rows.negative))
    return tuple(keys)


def _eigenvalues(last: Step) -> Floats:
    assert last.eigenvalues is not None
    return last.eigenvalues


def _plane(rows: SortedRows, model: KernelMatrix, pair: tuple[int, int], step: Step) -> list[Mark]:
    """Return the points, those outside of a zero extension's subset faint, and the pair's line."""
    problem = rows.problem
    first, second = pair
    sizes = np.full(rows.n, 4.0)
    sizes[[first, second]] = LARGE
    opacity = np.ones(rows.n)
    if model.operation == "zero extension" and step.phase != "row":
        opacity[~in_subset(problem.X, model.outside)] = FAINT
    classes: dict[str, Any] = {}
    if rows.has_colors:
        classes = {"color": problem.y, "classes": problem.classes}
    points = problem.points
    return [
        segments_between(points[[first]], points[[second]], width=2.5, of=""),
        data_points(problem, size=sizes, opacity=opacity, **classes),
    ]


class MatrixPanel:
    """The matrix, the first row at its top.

    Parameters
    ----------
    rows : SortedRows
        The rows.
    last : KernelMatrixStep
        The last step.
    pair : tuple of int
        The two rows whose entry is marked.
    """

    def __init__(self, rows: SortedRows, last: Step, pair: tuple[int, int]) -> None:
        self.rows = rows
        self.last = last
        self._row, self._column = rows.place[list(pair)].tolist()
        self._ends = (-0.5, rows.n - 0.5)

    def panel(self) -> Panel:
        """Return the panel."""
        rows = self.rows
        order = "class and first column" if rows.has_colors else "first column"
        names = [str(row + 1) for row in rows.problem.rows[rows.order] if rows.n <= MAX_NAMED]
        x, y = (Axis("row" * bool(names), *self._ends, ticks=t) for t in (names, names[::-1]))
        return Panel("matrix", x, y, title=f"Kernel matrix, rows by {order}", equal=True)

    def handle(self) -> Handle:
        """Return the handle on the cell of the pair, which moves to where the matrix is clicked."""
        up = self.rows.n - 1 - self._row
        return Handle("pair", "matrix", "", "point", float(self._column), float(up))

    def note(self) -> str:
        """Return the meaning of the shades of the last matrix."""
        K = self.last.matrix
        assert K is not None
        return f"Shades of the matrix: from {num4(K.min())} (none) to {num4(K.max())} (full)."

    def marks(self, step: Step) -> list[Mark]:
        """Return the image, the classes on the diagonal, and the row and column of the pair."""
        low, high = self._ends
        x = self._column
        y = self.rows.n - 1 - self._row
        line: dict[str, Any] = {"color": "ink", "width": 1.0, "panel": "matrix", "of": ""}
        dot: dict[str, Any] = {"size": [LARGE], "color": [NO_CLASS], "emphasis": True}
        return [
            self._image(step),
            line_through([[low, y], [high, y]], **line),
            line_through([[x, low], [x, high]], **line),
            self._diagonal(),
            points_at([[x, y]], panel="matrix", of="", **dot),
        ]

    def _image(self, step: Step) -> Raster:
        n = self.rows.n
        order = np.ix_(self.rows.order, self.rows.order)
        return Raster(
            panel="matrix",
            pixels=shades(self._matrix(step)[order]),
            width=n,
            height=n,
            extent=(*self._ends, *self._ends),
            ramp=True,
            opacity=1.0,
            crisp=True,
        )

    def _matrix(self, step: Step) -> Floats:
        """Return the matrix of a step; NaN where it is not computed yet."""
        matrix = step.second if step.phase == "second" else step.matrix
        if matrix is not None:
            return matrix
        first = self.last.first
        k = step.index + 1
        assert first is not None
        part = np.full((self.rows.n, self.rows.n), np.nan)
        part[:k, :k] = first[:k, :k]
        return part

    def _diagonal(self) -> Rects:
        """Return the entries of the diagonal in the colours of their rows' classes."""
        rows = self.rows
        x = rows.place
        y = rows.n - 1 - x
        return Rects(
            panel="matrix",
            x0=x - 0.5,
            x1=x + 0.5,
            y0=y - 0.5,
            y1=y + 0.5,
            color=rows.problem.y if rows.has_colors else np.full(rows.n, NO_CLASS, np.uint8),
            opacity=[1.0],
            numbers=rows.problem.rows + 1,
        )


class Spectrum:
    """The eigenvalues as bars, those that are negative in a colour of their own.

    Parameters
    ----------
    rows : SortedRows
        The rows.
    last : KernelMatrixStep
        The last step.
    """

    def __init__(self, rows: SortedRows, last: Step) -> None:
        self.n = rows.n
        self.values = _eigenvalues(last)
        numbers = np.arange(1, self.n + 1)
        colors = np.where(self.values < -last.tolerance, rows.negative, NO_CLASS)
        self._bars = Rects(
            panel="spectrum",
            x0=numbers - 0.4,
            x1=numbers + 0.4,
            y0=np.minimum(self.values, 0),
            y1=np.maximum(self.values, 0),
            color=colors.astype(np.uint8),
            opacity=[0.9],
            numbers=numbers,
            of="number",
        )
        ends = [[0.0, 0.0], [self.n + 1.0, 0.0]]
        self._zero = line_through(ends, panel="spectrum", color="muted", width=1.0, of="")

    def panel(self) -> Panel:
        """Return the panel."""
        number = Axis("number", 0.0, self.n + 1.0, integer=True)
        heights = Axis("eigenvalue", *bounds([0.0, *self.values]))
        return Panel("spectrum", number, heights, "Eigenvalues", side=True)

    def marks(self, step: Step) -> list[Mark]:
        """Return the bars, once there are eigenvalues, and the line at 0."""
        return [visible_if(step.eigenvalues is not None, self._bars), self._zero]


def shades(matrix: Floats) -> NDArray[np.uint8]:
    """Return the pixels of a matrix: its smallest value 0, its largest 255; 0 where there is none.

    Examples
    --------
    >>> shades(np.array([[1.0, np.nan], [0.0, 3.0]])).tolist()
    [85, 0, 0, 255]
    """
    low = np.nanmin(matrix)
    high = np.nanmax(matrix)
    scaled = (matrix - low) / (high - low) if high > low else np.where(np.isnan(matrix), 0.0, 1.0)
    return np.round(255 * np.nan_to_num(scaled)).astype(np.uint8).ravel()
