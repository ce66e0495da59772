"""A string kernel as a picture: a window over two strings, what it has counted, and the kernel of all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.cached import cached_property
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, Formula, few, short_table
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Raster, Rects, Texts
from dmlib.pictures.motion import nth, thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem.texts import shortened
from dmlib.similarity.strings.alignment import pair_of
from dmlib.similarity.strings.string_kernel import StringKernelStep

MOST_FRAMES = 160
WIDTH = 34  # letters of a line
MOST_BARS = 16  # parts whose counts are drawn
MOST_TERMS = 6
NAME = 20  # characters of a name
PART = 10  # characters of a part
WHOLE = ("spectrum", "delta")  # kernels that count the window as it is


def kernel_scene(run: Run) -> Scene:
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
    slides = [step for step in steps if step.phase == "slide"]
    some = thin(len(slides), MOST_FRAMES)
    shown = [*(slides[i] for i in some), *(step for step in steps if step.phase != "slide")]
    picture = _Picture(run, shown)
    marks = [*picture.strings(), *picture.bars(), *picture.matrix()]
    frames = Deferred(picture.frame, shown)
    legend = tuple(Key(name, code) for code, name in enumerate(picture.names))
    notes = (*run.problem.notes, *picture.notes, *thinned_note(some))
    return Scene(picture.panels, marks, frames, notes, legend=legend)


class _Picture:
    """The marks and sentences of one run."""

    def __init__(self, run: Run, steps: Sequence[StringKernelStep]) -> None:
        self.run, self.model, self.steps = run, run.model, steps
        self.texts = pair_of(run.problem.texts, run.model.first, run.model.second)
        self.parts = run.model.parts(run.problem.texts)
        self.names = [shortened(run.problem.names[k - 1], NAME) for k in (run.model.first, run.model.second)]
        self.width = min(max(*map(len, self.texts), 8), WIDTH)
        self.longest = max(map(len, self.texts))

    # --- what is counted ----------------------------------------------------------------------------------------------

    @cached_property
    def totals(self) -> tuple[Counter[str], Counter[str]]:
        """The counts of both strings."""
        one, other = (self.parts.count(text) for text in self.texts)
        return one, other

    def counted(self, step: StringKernelStep) -> tuple[Counter[str], Counter[str]]:
        """Return what both strings have counted after a step."""
        if step.phase != "slide":
            return self.totals
        so_far: Counter[str] = Counter()
        for window in self.parts.windows(self.texts[step.side])[: step.place + 1]:
            so_far.update(self.parts.of(window))
        return (so_far, Counter()) if step.side == 0 else (self.totals[0], so_far)

    @cached_property
    def _shared(self) -> tuple[NDArray[np.float64], ...]:
        """Places among the first letters of both strings whose window shows a shared part: ends, number of the part."""
        one, other = self.totals
        found = []
        for text in self.texts:
            windows = enumerate(self.parts.windows(text[: self.width]))
            places = [
                (i + 0.55, i + 0.45 + len(window), self._number(window))
                for i, window in windows
                if any(part in one and part in other for part in self.parts.of(window))
            ]
            found.append(np.array(places, float).reshape(-1, 3))
        return tuple(found)

    @cached_property
    def drawn(self) -> list[str]:
        """The parts whose counts are drawn: those that both strings have, then the most frequent ones."""
        one, other = self.totals
        every = {part: None for each in (one, other) for part in each}
        order = sorted(every, key=lambda part: (-one[part] * other[part], -one[part] - other[part]))
        return order[:MOST_BARS]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each part whose counts are drawn, from 1."""
        return {part: i + 1 for i, part in enumerate(self.drawn)}

    def _number(self, window: str) -> int:
        """Return the number of the part that a place of the window counts; 0 where it counts several."""
        return self.numbers.get(window, 0) if self.model.kernel in WHOLE else 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what is left out."""
        n_parts = len(set(self.totals[0]) | set(self.totals[1]))
        found = [f"{MOST_BARS} of {n_parts} parts are drawn, shared ones first."] if n_parts > MOST_BARS else []
        if self.longest > self.width:
            found.append(f"Of the strings, {self.width} letters are shown at a time.")
        return tuple(found)

    # --- panels -------------------------------------------------------------------------------------------------------

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The strings, the counts, and the matrix of all strings."""
        n, names = len(self.run.problem.texts), [shortened(name, 10) for name in self.run.problem.names]
        strings = Panel("data", Axis("", 0.25, self.width + 0.75), Axis("", -1.0, 2.0), title="Sliding window")
        top = max([1, *(count for each in self.totals for count in each.values())])
        parts = [shortened(part.replace(" ", "␣"), PART) for part in self.drawn][::-1] or ["none"]
        bars = Panel(
            "counts",
            Axis("count", 0.0, 1.1 * top, integer=True),
            Axis("part", -0.6, len(parts) - 0.4, ticks=parts),
            title="Counts",
        )
        ends = (-0.5, n - 0.5)
        matrix = Panel(
            "matrix",
            Axis("string", *ends, ticks=names),
            Axis("string", *ends, ticks=names[::-1]),
            title="Kernel of all strings",
            side=True,
            equal=True,
        )
        return strings, bars, matrix

    def strings(self) -> list[Mark]:
        """Return the letters around the window, and the window."""
        found: list[Mark] = []
        for side, text in enumerate(self.texts):
            y = 1.0 - side
            begins = [self._begin(step, side) for step in self.steps]
            found.append(self._window(side, begins, y))
            for begin in dict.fromkeys(begins):
                shown = text[begin : begin + self.width]
                x = np.arange(len(shown)) + 1.0
                rows = PerFrame([x if each == begin else np.full(len(x), np.nan) for each in begins])
                found.append(Texts(x=rows, y=np.full(len(x), y), text=["␣" if c.isspace() else c for c in shown]))
        return found

    def _begin(self, step: StringKernelStep, side: int) -> int:
        """Return the first letter that is shown: a long string is turned over page by page."""
        if step.phase != "slide" or step.side != side or len(self.texts[side]) <= self.width:
            return 0
        page = int(max(1, self.width - self.parts.width))
        return step.place // page * page

    def _window(self, side: int, begins: Sequence[int], y: float) -> Rects:
        def ends(step: StringKernelStep, begin: int) -> NDArray[np.float64]:
            """Return the window, as its ends and its number; when it has slid, all places that show a shared part."""
            if step.phase != "slide":
                return self._shared[side]
            start, width = step.place - begin, min(len(step.window), self.width)
            here = [[start + 0.55, start + 0.45 + width, self._number(step.window)]]
            return np.array(here if step.side == side else [], float).reshape(-1, 3)

        places = [ends(step, begin) for step, begin in zip(self.steps, begins, strict=True)]
        x0, x1, numbers = (PerFrame([each[:, k] for each in places]) for k in (0, 1, 2))
        height = [np.full(len(each), y) for each in places]
        y0, y1 = (PerFrame([each + d for each in height]) for d in (-0.28, 0.28))
        return Rects(x0=x0, x1=x1, y0=y0, y1=y1, color=[side], opacity=[0.3], numbers=numbers, of="part")

    def bars(self) -> list[Mark]:
        """Return the counts of both strings, one bar above the other."""
        at = np.arange(len(self.drawn), dtype=float)[::-1]
        found: list[Mark] = []
        for side in (0, 1):
            x1 = PerFrame(Deferred(lambda step, side=side: self._counts(step, side), self.steps))
            low = at + (0.02 if side == 0 else -0.38)
            found.append(
                Rects(
                    panel="counts",
                    x0=np.zeros(len(at)),
                    x1=x1,
                    y0=low,
                    y1=low + 0.36,
                    color=[side],
                    opacity=[0.9],
                    numbers=np.arange(1, len(at) + 1),
                    of="part",
                )
            )
        return found

    def _counts(self, step: StringKernelStep, side: int) -> NDArray[np.float64]:
        counted = self.counted(step)[side]
        return np.array([float(counted[part]) for part in self.drawn])

    def matrix(self) -> list[Mark]:
        """Return the matrix as an image, and the entry of the pair."""
        last = self.steps[-1].matrix
        assert last is not None
        n, top = len(last), float(last.max())
        pixels = np.round(255 * last / top if top > 0 else last).astype(np.uint8).ravel()
        shown = PerFrame([pixels if step.matrix is not None else np.empty(0, np.uint8) for step in self.steps])
        ends = (-0.5, n - 0.5)
        i, j = self.model.first - 1, self.model.second - 1
        row = np.where(np.arange(n)[:, None] == i, np.arange(1, n + 1), 0).ravel()  # the ledger has that of the first
        image = Raster(
            panel="matrix", pixels=shown, width=n, height=n, extent=(*ends, *ends), ramp=True, opacity=1.0, crisp=True,
            numbers=row, of="string",
        )  # fmt: skip
        square = np.array([[-0.5, 0.5, 0.5, -0.5, -0.5], [-0.5, -0.5, 0.5, 0.5, -0.5]])
        entry = Line(panel="matrix", x=j + square[0], y=n - 1 - i + square[1], color="ink", width=2.0, of="")
        y, classes = self.run.problem.y, self.run.problem.classes
        if y is None:
            return [image, entry]
        at = np.arange(n)
        own = Points(
            panel="matrix",
            x=at,
            y=n - 1.0 - at,
            color=y.astype(np.uint8),
            size=[3.0],
            labels=self.run.problem.labels,
            classes=classes,
            of="",
        )
        return [image, own, entry]

    # --- words --------------------------------------------------------------------------------------------------------

    def frame(self, step: StringKernelStep) -> Frame:
        """Return the frame of a step."""
        tell = {"slide": self._slide, "product": self._product, "matrix": self._all, "done": self._done}[step.phase]
        caption, ledger = tell(step)
        return Frame(caption, ledger, step.phase)

    def _slide(self, step: StringKernelStep) -> tuple[str, Blocks]:
        name, window = self.names[step.side], shortened(step.window.replace(" ", "␣"), WIDTH)
        n = self.counted(step)[step.side]
        if len(step.parts) == 1:
            caption = f"Place {step.place + 1} of {name}: {window} is counted for the {nth(n[step.parts[0]])} time."
        else:
            caption = f"Place {step.place + 1} of {name}: {window} adds 1 to {len(step.parts)} parts."
        added = Formula(f"added: {few([shortened(p, PART) for p in step.parts], MOST_TERMS, ', ')}")
        return caption, [added, self._table(n, f"Counts of {name} so far")]

    def _table(self, counted: Counter[str], title: str) -> Any:
        rows = [(shortened(part.replace(" ", "␣"), PART), times) for part, times in counted.most_common()]
        numbers = [self.numbers.get(part) for part, _ in counted.most_common()]
        return short_table(("part", "count"), rows, title, most=12, of="parts", by="part", numbers=numbers)

    def _terms(self) -> Blocks:
        one, other = self.totals
        shared = sorted((part for part in one if part in other), key=lambda part: -one[part] * other[part])
        rows = [(shortened(p.replace(" ", "␣"), PART), one[p], other[p], one[p] * other[p]) for p in shared]
        terms = few([f"{one[p]} · {other[p]}" for p in shared[: MOST_TERMS + 1]], MOST_TERMS) or "0"
        total = sum(row[3] for row in rows)
        blocks: Blocks = [Formula(f"k = {terms} = {total}")]
        if rows:
            about: dict[str, Any] = {"by": "part", "numbers": [self.numbers.get(part) for part in shared]}
            head = ("part", "first", "second", "product")
            blocks.append(short_table(head, rows, "Shared parts", most=12, of="parts", **about))
        if self.model.normalize:
            own = [sum(times**2 for times in each.values()) for each in (one, other)]
            value = num(self.steps[-1].value or 0.0)
            blocks.append(Formula(f"normalised: {total} / √({own[0]} · {own[1]}) = {value}"))
        return blocks

    def _product(self, step: StringKernelStep) -> tuple[str, Blocks]:
        n = len(set(self.totals[0]) & set(self.totals[1]))
        value = num4(step.value or 0.0)
        one, other = self.names
        return f"{one} and {other} share {count(n, 'part', 'different parts')}: their kernel is {value}.", self._terms()

    def _all(self, step: StringKernelStep) -> tuple[str, Blocks]:
        n = len(self.run.problem.texts)
        return (
            f"The kernel of every two of the {n} strings is computed from {step.n_parts} different parts.",
            [self._neighbours(step)],
        )

    def _done(self, step: StringKernelStep) -> tuple[str, Blocks]:
        K, i = step.matrix, self.model.first - 1
        assert K is not None
        value = num4(step.value or 0.0)
        caption = f"Done. The kernel of {self.names[0]} and {self.names[1]} is {value}"
        others = [k for k in range(len(K)) if k != i]
        if others and K[i, others].max() > 0:
            best = max(others, key=lambda k: K[i, k])
            name = shortened(self.run.problem.names[best], NAME)
            caption += f"; most similar to {self.names[0]} is {name} with {num4(K[i, best])}"
        return f"{caption}.", [*self._terms(), self._neighbours(step)]

    def _neighbours(self, step: StringKernelStep) -> Any:
        K, i = step.matrix, self.model.first - 1
        assert K is not None
        order = np.argsort(-K[i], kind="stable").tolist()
        rows = [(shortened(self.run.problem.names[k], NAME), short(K[i, k])) for k in order]
        about: dict[str, Any] = {"by": "string", "numbers": [k + 1 for k in order]}
        return short_table(("string", "kernel"), rows, f"Kernel with {self.names[0]}", most=12, of="strings", **about)
