"""A kernel matrix as a picture: the rows in the plane, the matrix, a pair lit in both, and the eigenvalues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernel_matrices.algorithm import KernelMatrixStep as Step
from dmlib.classification.kernel_matrices.closure import in_subset
from dmlib.classification.kernel_matrices.ledger import Teller
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Rects, Segments
from dmlib.pictures.motion import thin, when
from dmlib.pictures.plane import data_panel, data_points, data_scene, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.words import num
from dmlib.problem import Problem

MOST_ROWS = 12  # of the matrix that have a frame of their own
MOST_CLASSES = 8  # that are told apart by colour
LARGE = 7.0  # radius in pixels of the two rows of the pair


def kernels_scene(run: Run) -> Scene:
    """Draw the kernel matrix of the rows, sorted by known class, then by the first column.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.KernelMatrix`.

    Returns
    -------
    Scene
        Frames for rows of the matrix, the second kernel, the operation, the eigenvalues, and the verdict.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import KernelMatrix
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 4.0]}), ["a", "b"])
    >>> scene = kernels_scene(Run.of(problem, KernelMatrix("linear")))
    >>> scene.frames[1].caption
    'Row 2: its kernel with row 1 is 11, with itself 25; the rest of the matrix follows by symmetry.'
    """
    problem, trace = run.problem, run.trace
    if not trace.steps or trace.steps[-1].phase != "done":
        return data_scene(problem, trace.reason)
    steps = _drawn(trace.steps)
    picture = _Picture(problem, steps, run.model)
    cell = run.options.get("pair") if run.selected is None else None
    pair = None if cell is None else picture.pair(cell)
    teller = Teller(problem, steps, run.model.operation, run.model.factor, run.selected, pair, run.model.outside)
    marks = [*picture.plane(teller.pair), *picture.matrix(teller.pair), *picture.bars()]
    panels = (data_panel(problem, equal=False), picture.matrix_panel(), picture.spectrum_panel())
    seen = view_note(problem, "rows with a large kernel may look far apart", "Kernels")
    notes = (*problem.notes, picture.shades(), *seen)
    return Scene(panels, marks, teller.frames(), notes, (picture.handle(teller.pair),), picture.legend())


def _drawn(steps: Sequence[Step]) -> list[Step]:
    rows = [step for step in steps if step.phase == "row"]
    return [*(rows[i] for i in thin(len(rows), MOST_ROWS)), *(step for step in steps if step.phase != "row")]


class _Picture:
    """The marks of one run."""

    def __init__(self, problem: Problem, steps: Sequence[Step], model: Any) -> None:
        self.extended, self.outside = model.operation == "zero extension", model.outside
        self.problem, self.steps, self.last = problem, steps, steps[-1]
        self.n = len(problem.X)
        known = problem.y if problem.y is not None else np.zeros(self.n)
        self.order = np.lexsort((problem.X[:, 0], known))
        self.place = np.argsort(self.order)  # of each row in the picture of the matrix
        self.coloured = problem.y is not None and len(problem.classes) <= MOST_CLASSES
        self.negative = len(problem.classes) if self.coloured else 0

    def pair(self, cell: tuple[int, int]) -> tuple[int, int]:
        """Return the rows of a cell of the matrix, counted from its lower left corner; of one beyond, the nearest."""
        across, up = (min(max(place, 0), self.n - 1) for place in cell)
        return int(self.order[self.n - 1 - up]), int(self.order[across])

    def handle(self, pair: tuple[int, int]) -> Handle:
        """Return the mark on the cell of a pair, which comes to where the matrix is clicked."""
        i, j = self.place[list(pair)]
        return Handle("pair", "matrix", "", "point", float(j), float(self.n - 1 - i))

    def legend(self) -> tuple[Key, ...]:
        """Name the classes, and the colour of what is negative."""
        names = enumerate(self.problem.classes) if self.coloured else ()
        keys = [Key(name, code) for code, name in names]
        values = self.last.eigenvalues
        found = values is not None and bool((values < -self.last.tolerance).any())
        return (*keys, Key("negative eigenvalue", self.negative)) if found else tuple(keys)

    # --- the plane ----------------------------------------------------------------------------------------------------

    def plane(self, pair: tuple[int, int]) -> list[Mark]:
        """Return the rows, and a line that joins the pair."""
        i, j = pair
        sizes = np.full(self.n, 4.0)
        sizes[[i, j]] = LARGE
        faint, full = np.where(in_subset(self.problem.X, self.outside), 1.0, 0.25), np.ones(self.n)
        opacity = [faint if self.extended and step.phase != "row" else full for step in self.steps]
        x, y = self.problem.points[[i, j]].T
        known: dict[str, Any] = {"color": self.problem.y, "classes": self.problem.classes} if self.coloured else {}
        line = Segments(x0=x[:1], y0=y[:1], x1=x[1:], y1=y[1:], width=2.5, of="")
        return [line, data_points(self.problem, size=sizes, opacity=PerFrame(opacity), **known)]

    # --- the matrix ---------------------------------------------------------------------------------------------------

    def matrix_panel(self) -> Panel:
        """Return the panel of the matrix, the first row at its top."""
        rows, ends = [str(row + 1) for row in self.problem.rows[self.order]], (-0.5, self.n - 0.5)
        label = "row, by class and first column" if self.coloured else "row, by first column"
        across, down = Axis(label, *ends, ticks=rows), Axis("row", *ends, ticks=rows[::-1])
        return Panel("matrix", across, down, title="Kernel matrix", equal=True)

    def _shown(self, step: Step) -> Floats:
        """Return the matrix of a frame; NaN where it is not yet computed."""
        matrix = step.matrix if step.phase != "second" else step.second
        if matrix is None:
            matrix = np.full((self.n, self.n), np.nan)
            first, k = self.last.first, step.index + 1
            assert first is not None
            matrix[:k, :k] = first[:k, :k]
        shown: Floats = matrix[np.ix_(self.order, self.order)]
        return shown

    def _pixels(self) -> PerFrame:
        known: dict[int, NDArray[np.uint8]] = {}
        rows = []
        for step in self.steps:
            key = step.index if step.phase == "row" else -2 if step.phase == "second" else -3 - id(step.matrix)
            if key not in known:
                known[key] = shades(self._shown(step))
            rows.append(known[key])
        return PerFrame(rows)

    def shades(self) -> str:
        """Say what the shades of the last matrix mean."""
        K = self.last.matrix
        assert K is not None
        return f"Shades of the matrix: from {num(K.min())} (none) to {num(K.max())} (full)."

    def matrix(self, pair: tuple[int, int]) -> list[Mark]:
        """Return the image, the row and column of the pair, and the classes of the rows on the diagonal."""
        n, (i, j) = self.n, self.place[list(pair)]
        ends = (-0.5, n - 0.5)
        image = Raster(
            panel="matrix", pixels=self._pixels(), width=n, height=n, extent=(*ends, *ends), ramp=True, opacity=1.0
        )
        row = Line(panel="matrix", x=ends, y=[n - 1 - i] * 2, color="ink", width=1.0, of="")
        column = Line(panel="matrix", x=[j] * 2, y=ends, color="ink", width=1.0, of="")
        entry = Points(panel="matrix", x=[j], y=[n - 1 - i], size=[LARGE], color=[NO_CLASS], emphasis=True, of="")
        at = self.place
        color = self.problem.y if self.coloured else np.full(n, NO_CLASS, np.uint8)
        cells: dict[str, Any] = {"x0": at - 0.5, "x1": at + 0.5, "y0": n - 1.5 - at, "y1": n - 0.5 - at}
        rows = Rects(panel="matrix", color=color, opacity=[1.0], numbers=self.problem.rows + 1, **cells)
        return [image, row, column, rows, entry]

    # --- the eigenvalues ----------------------------------------------------------------------------------------------

    def spectrum_panel(self) -> Panel:
        """Return the panel of the eigenvalues."""
        values = self.last.eigenvalues
        assert values is not None
        heights = Axis("eigenvalue", *bounds([0.0, *values]))
        return Panel("spectrum", Axis("number", 0.0, self.n + 1.0, integer=True), heights, "Eigenvalues", side=True)

    def bars(self) -> list[Mark]:
        """Return a bar for each eigenvalue, those that are negative in a colour of their own."""
        values = self.last.eigenvalues
        assert values is not None
        at, there = np.arange(1, self.n + 1), [step.eigenvalues is not None for step in self.steps]
        parts = {"x0": at - 0.4, "x1": at + 0.4, "y0": np.minimum(values, 0), "y1": np.maximum(values, 0)}
        channels: dict[str, Any] = {name: when(there, part) for name, part in parts.items()}
        color = when(there, np.where(values < -self.last.tolerance, self.negative, NO_CLASS).astype(np.uint8))
        return [
            Rects(panel="spectrum", color=color, opacity=[0.9], numbers=at, of="number", **channels),
            Line(panel="spectrum", x=[0.0, self.n + 1.0], y=[0.0, 0.0], color="muted", width=1.0, of=""),
        ]


def shades(matrix: Floats) -> NDArray[np.uint8]:
    """Return the pixels of a matrix: its smallest value 0, its largest 255; 0 where there is none.

    Examples
    --------
    >>> shades(np.array([[1.0, np.nan], [0.0, 3.0]])).tolist()
    [85, 0, 0, 255]
    """
    low, high = np.nanmin(matrix), np.nanmax(matrix)
    scaled = (matrix - low) / (high - low) if high > low else np.where(np.isnan(matrix), 0.0, 1.0)
    return np.round(255 * np.nan_to_num(scaled)).astype(np.uint8).ravel()
