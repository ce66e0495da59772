"""A string kernel as a picture: a window over two strings, its counts, and the kernel matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.pictures.marks import Mark, Points, Raster, Rects, Texts
from dmlib.pictures.places import line_through, visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Moment, Plot, draw_plots, frames_by_phase, story
from dmlib.problem import TextsProblem
from dmlib.problem.texts import shortened
from dmlib.similarity.strings.counts_ledger import MAX_BARS, Counts
from dmlib.similarity.strings.kernel_ledger import Narrator, part_name
from dmlib.similarity.strings.string_kernel import StringKernelStep
from dmlib.similarity.table_scene import SQUARE

MAX_SLIDES = 160  # places of the window that have a frame
WIDTH = 34  # letters of a line
NAME = 10  # characters of a name at the matrix


def kernel_scene(run: Run[TextsProblem, Any]) -> Scene:
    """Draw a run of :class:`dmlib.similarity.StringKernel`.

    Examples
    --------
    >>> from dmlib.problem import prepare_texts
    >>> from dmlib.similarity import StringKernel
    >>> scene = kernel_scene(Run.of(prepare_texts(["downtown", "known"]), StringKernel()))
    >>> scene.frames[-2].caption
    'The kernel of every two of the 2 strings is computed from 7 different parts.'
    """
    steps = run.trace.steps
    counts = Counts(run)
    narrator = Narrator(run, counts)
    strings = _Strings(counts, steps)
    plots = (Plot(strings.panel, strings.marks), _bars(counts), _matrix(run))
    numbers, note = frames_by_phase(steps, {("slide",): MAX_SLIDES})

    return story(
        run,
        draw_plots(plots, narrator.caption_and_ledger),
        panels=[plot.panel for plot in plots],
        numbers=numbers,
        legend=[Key(name, code) for code, name in enumerate(narrator.names)],
        notes=(*_parts_note(counts), *strings.notes, *note),
    )


def _parts_note(counts: Counts) -> tuple[str, ...]:
    n_parts = len(set().union(*counts.totals))
    if n_parts <= MAX_BARS:
        return ()
    return (f"{MAX_BARS} of {n_parts} parts are drawn, shared ones first.",)


class _Strings:
    """The letters of both strings around the window; long strings have pages."""

    def __init__(self, counts: Counts, steps: Sequence[StringKernelStep]) -> None:
        self.counts, self.texts, self.steps = counts, counts.texts, steps
        longest = max(map(len, self.texts))
        self.width = min(max(longest, 8), WIDTH)
        across = Axis("", 0.25, self.width + 0.75)
        self.panel = Panel("data", across, Axis("", -1.0, 2.0), title="Sliding window")
        self.notes: tuple[str, ...] = ()
        if longest > self.width:
            self.notes = (f"Of the strings, {self.width} letters are shown at a time.",)

    def marks(self, moment: Moment) -> list[Mark]:
        """Return the window over each string, and the letters of its pages; one page is visible."""
        step: StringKernelStep = moment.step
        marks: list[Mark] = []
        for side, pages in enumerate(self._pages):
            begin = self._begin(step, side)
            marks.append(self._window(step, side, begin))
            marks += [visible_if(begin == first, page) for first, page in pages.items()]
        return marks

    @cached_property
    def _pages(self) -> tuple[dict[int, Texts], dict[int, Texts]]:
        """The letters of each page of both strings, by the place of its first one."""
        return self._pages_of(0), self._pages_of(1)

    def _pages_of(self, side: int) -> dict[int, Texts]:
        pages = {}
        for begin in dict.fromkeys(self._begin(step, side) for step in self.steps):
            text = self.texts[side][begin : begin + self.width]
            letters = ["␣" if letter.isspace() else letter for letter in text]
            x, y = np.arange(len(letters)) + 1.0, np.full(len(letters), 1.0 - side)
            pages[begin] = Texts(x=x, y=y, text=letters)
        return pages

    def _begin(self, step: StringKernelStep, side: int) -> int:
        """Return the place of the first visible letter."""
        if step.phase != "slide" or step.side != side or len(self.texts[side]) <= self.width:
            return 0
        page = max(1, self.width - int(self.counts.parts.width))  # no window is cut at its end
        return step.place // page * page

    def _window(self, step: StringKernelStep, side: int, begin: int) -> Rects:
        """Return the window, and after the last slide all windows with a shared part."""
        if step.phase != "slide":
            places = self._shared[side]
        elif step.side == side:
            places = self._place(step.place - begin, min(len(step.window), self.width), step.window)
        else:
            places = np.empty((0, 3))
        x0, x1, numbers = places.T
        y = np.full(len(places), 1.0 - side)
        return Rects(
            x0=x0,
            x1=x1,
            y0=y - 0.28,
            y1=y + 0.28,
            color=[side],
            opacity=[0.3],
            numbers=numbers,
            of="part",
        )

    def _place(self, start: int, width: int, window: str) -> Floats:
        """Return the ends of a window and the number of its part, shape (1, 3)."""
        return np.array([[start + 0.55, start + 0.45 + width, self.counts.number(window)]])

    @cached_property
    def _shared(self) -> tuple[Floats, Floats]:
        """The windows of both first pages with a shared part, shape (n, 3) each."""
        first, second = (self._shared_windows(text[: self.width]) for text in self.texts)
        return first, second

    def _shared_windows(self, text: str) -> Floats:
        places = [
            self._place(i, len(window), window)
            for i, window in enumerate(self.counts.parts.windows(text))
            if any(part in self.counts.shared for part in self.counts.parts.of(window))
        ]
        return np.vstack([np.empty((0, 3)), *places])


def _bars(counts: Counts) -> Plot:
    """Return the counts of both strings, one bar above the other."""
    top = max([1, *(n for total in counts.totals for n in total.values())])
    names = [part_name(part) for part in counts.numbered][::-1] or ["none"]
    panel = Panel(
        "counts",
        Axis("count", 0.0, 1.1 * top, integer=True),
        Axis("part", -0.6, len(names) - 0.4, ticks=names),
        title="Counts",
    )
    n = len(counts.numbered)
    up = np.arange(n, dtype=float)[::-1]

    def bars(moment: Moment, side: int) -> Rects:
        so_far = counts.after(moment.step)[side]
        low = up + (0.02, -0.38)[side]
        return Rects(
            panel="counts",
            x0=np.zeros(n),
            x1=np.array([float(so_far[part]) for part in counts.numbered]),
            y0=low,
            y1=low + 0.36,
            color=[side],
            opacity=[0.9],
            numbers=np.arange(1, n + 1),
            of="part",
        )

    return Plot(panel, lambda moment: (bars(moment, 0), bars(moment, 1)))


def _matrix(run: Run[TextsProblem, Any]) -> Plot:
    """Return the kernel matrix as an image, once it is computed, with the entry of the pair."""
    problem, matrix = run.problem, run.trace.steps[-1].matrix
    n = len(matrix)
    names = [shortened(name, NAME) for name in problem.names]
    across = Axis("string", -0.5, n - 0.5, ticks=names)
    down = Axis("string", -0.5, n - 0.5, ticks=names[::-1])
    panel = Panel("matrix", across, down, title="Kernel of all strings", side=True, equal=True)
    i, j = run.model.first - 1, run.model.second - 1
    image = _matrix_image(matrix, i, panel)
    entry = line_through(SQUARE + np.array([j, n - 1 - i]), panel="matrix", of="")
    constant: tuple[Mark, ...] = (entry,) if problem.y is None else (_class_points(run), entry)

    def marks(moment: Moment) -> tuple[Mark, ...]:
        return visible_if(moment.step.matrix is not None, image), *constant

    return Plot(panel, marks)


def _matrix_image(matrix: Floats, row: int, panel: Panel) -> Raster:
    """Return a kernel matrix, the larger the darker; the entries of a row are linked to tables."""
    n, top = len(matrix), float(matrix.max())
    shades = 255 * matrix / top if top > 0 else matrix
    return Raster(
        panel="matrix",
        pixels=np.round(shades).astype(np.uint8).ravel(),
        width=n,
        height=n,
        extent=panel.extent,
        ramp=True,
        opacity=1.0,
        crisp=True,
        numbers=np.where(np.arange(n)[:, None] == row, np.arange(1, n + 1), 0).ravel(),
        of="string",
    )


def _class_points(run: Run[TextsProblem, Any]) -> Points:
    """Return the classes of the strings, on the diagonal."""
    problem = run.problem
    y = np.asarray(problem.y)
    at = np.arange(len(y))
    return Points(
        panel="matrix",
        x=at,
        y=at[::-1].astype(float),
        color=y.astype(np.uint8),
        size=[3.0],
        labels=problem.labels,
        classes=problem.classes,
        of="",
    )
