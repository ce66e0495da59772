"""A column that is cut, as a picture: its numbers with the cuts, what was tried, and the intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.params import Integer
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.preprocessing.discretisation.algorithm import information
from dmlib.preprocessing.discretisation.binarizer import Binarizer
from dmlib.preprocessing.discretisation.ledger import Teller
from dmlib.problem import Problem

OPTIONS = {"column": Option(Integer(0, 1_000_000), 0)}
"""The column of the picture, from 1; 0 for the one whose intervals tell most of the class."""
MOST_FRAMES = 40
NOW = 1  # the colour of a cut that is tried


def discretisation_scene(run: Run) -> Scene:
    """Draw the cuts of one column.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.preprocessing import Discretizer
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 5.0, 6.0]}), ["a"])
    >>> [frame.phase for frame in discretisation_scene(Run.of(problem, Discretizer(n_bins=2))).frames]
    ['column', 'cut', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    column = shown_column(run)
    steps = [step for step in trace.steps if step.column in (column, -1)]
    shown = thin(len(steps), MOST_FRAMES)
    steps = [steps[i] for i in shown]
    picture = _Picture(problem, run.fitted, column, steps)
    teller = Teller(problem, run.fitted, column, run.selected)
    strip, marks = picture.strip()
    second, second_marks = picture.codes() if isinstance(run.model, Binarizer) else picture.tried()
    shares, share_marks = picture.shares()
    named = column in problem.categories
    notes = (*problem.notes, *thinned_note(shown), *([] if named else ["An interval holds its upper end."]))
    return Scene((strip, second, shares), (*marks, *second_marks, *share_marks), Deferred(teller.frame, steps), notes)


def shown_column(run: Run) -> int:
    """Return the number of the column of the picture, from 0."""
    asked = int(chosen(run, OPTIONS)["column"])
    problem = run.problem
    if 1 <= asked <= len(problem.features):
        return asked - 1
    if problem.y is None or not problem.classes:
        return 0
    codes = [np.searchsorted(cuts, x) for cuts, x in zip(run.fitted.cuts_, problem.X.T, strict=True)]
    return int(np.argmax([information(each, problem.y) for each in codes]))


class _Picture:
    """The panels and marks of a column.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Discretizer or Binarizer
        Fitted.
    column : int
        Which.
    steps : sequence
        Those that are drawn.
    """

    def __init__(self, problem: Problem, model: Any, column: int, steps: Sequence[Any]) -> None:
        self.problem, self.model, self.column, self.steps = problem, model, column, steps
        self.x = problem.X[:, column]
        self.names = problem.categories.get(column, ())
        ends = (-0.5, len(self.names) - 0.5) if self.names else bounds(self.x, 0.04)
        self.axis = Axis(problem.features[column], *ends, ticks=self.names)
        named = problem.y is not None and problem.classes
        self.classes = problem.classes if named else ("all",)
        self.y = np.asarray(problem.y) if named else np.zeros(len(self.x), int)
        self.named = bool(named)
        last = model.cuts_[column]
        self.cuts = [last if step.phase == "done" else step.borders for step in steps]

    def strip(self) -> tuple[Panel, list[Mark]]:
        """Return the rows by their number, one strip a class, with the cuts."""
        k, n = len(self.classes), len(self.x)
        wobble = 0.7 * (np.arange(1, n + 1) * 0.61803398875 % 1 - 0.5)
        aside = 0.6 * (np.arange(1, n + 1) * 0.7548776662 % 1 - 0.5) if self.names else np.zeros(n)
        up = Axis("class" if self.named else "", -0.6, k - 0.4, ticks=self.classes if self.named else ())
        color = self.y.astype(np.uint8) if self.named else np.full(n, NO_CLASS, np.uint8)
        points = Points(
            x=self.x + aside, y=k - 1 - self.y + wobble, color=color, size=[3.0], labels=self.problem.labels,
            numbers=self.problem.rows + 1, data=True,
        )  # fmt: skip
        up = Axis(up.label, up.low, up.high, ticks=tuple(reversed(up.ticks)))
        return Panel("data", self.axis, up), [points, *self._lines("data", up)]

    def _lines(self, panel: str, up: Axis) -> list[Mark]:
        tried: list[Floats] = []
        for step in self.steps:
            trial = getattr(step, "trial", None)
            there = trial is not None and step.phase in ("cut", "reject", "merge")
            tried.append(np.array([trial.cut]) if there and trial is not None else np.empty(0))
        marks: list[Mark] = []
        for places, width, color in ((self.cuts, 2.0, None), (tried, 3.0, [NOW])):
            marks.append(
                Segments(
                    panel=panel, x0=PerFrame(places), x1=PerFrame(places), width=width, color=color, of="",
                    y0=PerFrame([np.full(len(each), up.low) for each in places]),
                    y1=PerFrame([np.full(len(each), up.high) for each in places]),
                )
            )  # fmt: skip
        return marks

    def tried(self) -> tuple[Panel, list[Mark]]:
        """Return what every other cut would be worth; where nothing is tried, the rows of each interval."""
        if self.model.strategy not in ("entropy", "chi_merge"):
            return self._counts()
        nothing = np.empty(0)
        trials = [getattr(step, "trial", None) for step in self.steps]
        made = [trial for trial in trials if trial is not None and len(trial.scores)]
        if made and self.steps[-1].phase == "done":  # of entropy the first cut, of ChiMerge what was left in the end
            trials[-1] = made[-1] if self.model.strategy == "chi_merge" else made[0]
        some = [(nothing, nothing) if t is None else (t.candidates, t.scores) for t in trials]
        scores = np.concatenate([score for _, score in some]) if some else nothing
        chi = self.model.strategy == "chi_merge"
        limit = max((t.threshold for t in trials if t is not None), default=0.0) if chi else 0.0
        high = max(float(scores.max(initial=0.0)), limit)
        label = "χ² of both sides" if chi else "entropy after the cut (bits)"
        title = "χ² of neighbouring intervals" if chi else "Entropy after each candidate cut"
        panel = Panel(
            "tried",
            self.axis,
            Axis(label, 0.0, min(1.1 * high, 6 * limit) if chi and limit else 1.1 * high or 1.0),
            title,
        )
        x, y = PerFrame([each for each, _ in some]), PerFrame([np.minimum(each, panel.y.high) for _, each in some])
        marks: list[Mark] = [
            Line(panel="tried", x=x, y=y, of=""),
            Points(panel="tried", x=x, y=y, color=[NO_CLASS], size=[2.0], of=""),
        ]
        if chi:
            ends = [self.axis.low, self.axis.high]
            marks.append(Line(panel="tried", x=ends, y=[limit, limit], color="accent", dash=True, width=1.5, of=""))
        best = [[t.cut] if t is not None and len(t.scores) else [] for t in trials]
        least = [[float(t.scores.min())] if t is not None and len(t.scores) else [] for t in trials]
        marks.append(Points(panel="tried", x=PerFrame(best), y=PerFrame(least), color=[NOW], size=[6.0], emphasis=True,
                            of=""))  # fmt: skip
        return panel, marks

    def _ends(self, cuts: Floats) -> tuple[Floats, Floats]:
        inside = cuts[(cuts > self.axis.low) & (cuts < self.axis.high)]
        return np.concatenate([[self.axis.low], inside]), np.concatenate([inside, [self.axis.high]])

    def _places(self) -> dict[str, Any]:
        """Return where the intervals of each frame lie on the axis, with their numbers: some may lie beyond it."""
        left, right = zip(*(self._ends(cuts) for cuts in self.cuts), strict=True)
        numbers = [np.searchsorted(cuts, ends) + 1 for cuts, ends in zip(self.cuts, right, strict=True)]
        return {"x0": PerFrame(left), "x1": PerFrame(right), "numbers": PerFrame(numbers), "of": "interval"}

    def _counts(self) -> tuple[Panel, list[Mark]]:
        """Return how many rows each interval has, as bars as wide as it."""
        tops = []
        for cuts in self.cuts:
            left, right = self._ends(cuts)
            tops.append(((self.x > left[:, None]) & (self.x <= right[:, None])).sum(axis=1).astype(float))
        # all rows in one interval, before the first cut, fill the panel: the bars of the rest would be low
        high = 1.08 * max(float(top.max()) for top in [top for top in tops if len(top) > 1] or tops)
        tops = [np.minimum(top, high) for top in tops]
        panel = Panel("tried", self.axis, Axis("rows", 0.0, high, integer=True), "Rows of each interval")
        floors = [np.zeros(len(top)) for top in tops]
        bars = Rects(panel="tried", y0=PerFrame(floors), y1=PerFrame(tops), opacity=[0.6], **self._places())
        return panel, [bars, *self._lines("tried", panel.y)]

    def codes(self) -> tuple[Panel, list[Mark]]:
        """Return the bits of each interval below it, bit by bit."""
        table = self.model.codes_[self.column]
        left, right = self._ends(self.model.cuts_[self.column])
        k, width = table.shape
        panel = Panel("tried", self.axis, Axis("bit", 0.0, float(width), integer=True), "The bits of each interval")
        rows, bits = np.nonzero(table)
        reached = []
        for step in self.steps:
            there = k if step.phase == "done" else step.interval + 1
            reached.append(rows < there)
        y1 = width - bits.astype(float)
        here = {"x0": left[rows], "x1": right[rows], "y0": y1 - 1, "y1": y1, "numbers": rows + 1}
        places: dict[str, Any] = {name: PerFrame([each[there] for there in reached]) for name, each in here.items()}
        words = ["".join(map(str, row)) for row in table]
        aside = 0.035 * (self.axis.high - self.axis.low)
        middles = np.clip((left + right) / 2, self.axis.low + aside, self.axis.high - aside)
        marks: list[Mark] = [
            Rects(panel="tried", color=[0], opacity=[0.8], of="interval", **places),
            Texts(panel="tried", x=middles, y=np.full(k, 0.12), text=words, halo=True),
        ]
        return panel, [*marks[: 2 if k <= 12 else 1], *self._lines("tried", panel.y)]

    def shares(self) -> tuple[Panel, list[Mark]]:
        """Return the classes of each interval, on top of each other, as wide as it."""
        title = "Classes of each interval" if self.named else "Fraction of the rows"
        panel = Panel("shares", self.axis, Axis("share", 0.0, 1.0), title, side=True)
        tables = [self._table(*self._ends(cuts)) for cuts in self.cuts]
        marks: list[Mark] = []
        for c in range(len(self.classes)):
            floors = [table[:, :c].sum(axis=1) for table in tables]
            tops = [table[:, : c + 1].sum(axis=1) for table in tables]
            marks.append(Rects(panel="shares", y0=PerFrame(floors), y1=PerFrame(tops), color=[c], **self._places()))
        return panel, [*marks, *self._lines("shares", panel.y)]

    def _table(self, left: Floats, right: Floats) -> NDArray[np.float64]:
        """Return the shares of the classes in each interval; without classes, of all rows."""
        codes = np.searchsorted(right[:-1], self.x)
        table = np.zeros((len(left), len(self.classes)))
        np.add.at(table, (codes, self.y), 1)
        whole = table.sum(axis=1, keepdims=True) if self.named else float(len(self.x))
        return np.asarray(table / np.maximum(whole, 1))
