"""How attributes are distributed within the classes: one strip for each, with curves or bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.conditionals import NominalTable, NormalTable, Table
from dmlib.pictures.marks import NO_CLASS, Line, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import when
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import num
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_texts

MOST_STRIPS = 6
MOST_CURVES = 60  # strips times classes
MOST_BARS = 90  # in a strip
MOST_NAMES = 7  # values whose names fit under the bars,
MOST_CHARACTERS = 42  # and the room for all of them
PLACES = 97  # places on a curve, at least
FOOT, TOP = 0.22, 0.76  # where in its strip a curve starts and where the highest one ends
HEAD = 0.84  # where the name of an attribute is written
DIM, STRONG = 0.25, 0.9  # opacity of a bar that is not asked about, and of one that is


@dataclass(frozen=True)
class Strip:
    """One attribute."""

    column: int
    table: Table  # how it is distributed
    foot: float  # where its strip begins
    # the numbers at the left and right end
    low: float
    high: float
    scale: float  # the factor that makes a density or probability a height

    def across(self, value: Any) -> float:
        """Return where a value is drawn, from 0 to 1."""
        if isinstance(self.table, NominalTable):
            return (self.table.values.index(str(value)) + 0.5) / len(self.table.values)
        return float(np.clip((value - self.low) / (self.high - self.low), 0.0, 1.0))

    def up(self, factor: Floats) -> Floats:
        """Return how high factors are drawn."""
        heights: Floats = self.foot + FOOT + np.minimum(factor * self.scale, TOP - FOOT)
        return heights


def strips(problem: Problem, tables: Sequence[Table]) -> list[Strip]:
    """Return the strips: of the columns in view first, of as many others as there is room for."""
    shown = np.flatnonzero(np.abs(problem.plane.basis).sum(axis=0) > 0)
    order = [*shown[:2].tolist(), *(j for j in range(len(tables)) if j not in shown[:2])]
    n = max(2, min(MOST_STRIPS, MOST_CURVES // len(problem.classes)))
    fitting = [j for j in order if _bars(tables[j]) <= MOST_BARS][:n]
    columns = sorted(fitting)
    return [_strip(problem, tables[j], j, float(len(columns) - 1 - i)) for i, j in enumerate(columns)]


def _bars(table: Table) -> int:
    return table.probabilities.size if isinstance(table, NominalTable) else 0


def _strip(problem: Problem, table: Table, column: int, foot: float) -> Strip:
    if isinstance(table, NominalTable):
        top = float(table.probabilities.max(initial=0.0)) or 1.0
        return Strip(column, table, foot, 0.0, 1.0, (TOP - FOOT) / top)
    known = problem.X[:, column][np.isfinite(problem.X[:, column])]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    pad = 0.06 * (high - low) or max(abs(low), 1.0) * 0.5
    low, high = low - pad, high + pad
    highest = float(np.exp(table.log_factors(_places(table, low, high))).max())
    return Strip(column, table, foot, low, high, (TOP - FOOT) / max(highest, 1e-300))


def _places(table: NormalTable, low: float, high: float) -> Floats:
    """Return where a curve is computed: at equal steps, and around the means that are too narrow for these."""
    steps = np.linspace(low, high, PLACES)
    sd = np.sqrt(table.variance)
    narrow = sd < steps[1] - steps[0]
    around = table.mean[narrow, None] + sd[narrow, None] * [-4.0, 0.0, 4.0]
    every: Floats = np.union1d(steps, around.clip(low, high))
    return every


def strip_panel(n_strips: int) -> Panel:
    """Return the panel of the strips; their scales are written in it."""
    blank = ("",)
    x, y = Axis("", -0.02, 1.02, ticks=blank), Axis("", -0.03 * n_strips, float(max(n_strips, 1)), ticks=blank)
    return Panel("attributes", x, y, "Columns within the classes")


def strip_names(problem: Problem, shown: Sequence[Strip]) -> list[Texts]:
    """Return the names of attributes and values, and the numbers at the ends."""
    heads = [(0.0, s.foot + HEAD, problem.features[s.column]) for s in shown]
    names, left, right = [], [], []
    for s in shown:
        if isinstance(s.table, NormalTable):
            left.append((0.0, s.foot + FOOT, num(s.low, 3)))
            right.append((1.0, s.foot + FOOT, num(s.high, 3)))
        else:
            names += [(x, s.foot + FOOT, text) for x, text in _values(s.table, problem.X[:, s.column])]
    groups = [(heads, "start", 0.0), (names, "middle", 13.0), (left, "start", 13.0), (right, "end", 13.0)]
    return [
        Texts(
            panel="attributes",
            x=[x for x, _, _ in group],
            y=[y for _, y, _ in group],
            text=[text for _, _, text in group],
            anchor=anchor,
            dy=dy,
        )
        for group, anchor, dy in groups
        if group
    ]


def _values(table: NominalTable, x: Floats) -> list[tuple[float, str]]:
    """Return names and places across of the values; of a cut column, with the numbers ``x``, where it is cut."""
    n = len(table.values)
    if n > MOST_NAMES:
        return []
    if table.cuts is not None:
        cuts = threshold_texts(table.cuts, x, 3, inclusive=False)
        return [((i + 1) / n, cut.replace("-", "−")) for i, cut in enumerate(cuts)]
    room = MOST_CHARACTERS // max(n, 1)
    texts = [value if len(value) <= room else f"{value[: room - 1]}…" for value in table.values]
    return [((i + 0.5) / n, text) for i, text in enumerate(texts)]


def curves(shown: Sequence[Strip], classes: Sequence[int], known: Sequence[int]) -> list[Line]:
    """Return a curve for each class in the strips of numbers, from the frame on in which its column is known.

    ``classes`` are the codes of the tables' rows; ``known`` is for each frame the number of columns learned so far.
    """
    lines = []
    for s in shown:
        if not isinstance(s.table, NormalTable):
            continue
        values = _places(s.table, s.low, s.high)
        x = (values - s.low) / (s.high - s.low)
        heights = s.up(np.exp(s.table.log_factors(values)))
        there = [s.column < n for n in known]
        for code, y in zip(classes, heights.T, strict=True):
            lines.append(Line(panel="attributes", x=when(there, x), y=when(there, y), color=int(code)))
    return lines


def bars(
    shown: Sequence[Strip], classes: Sequence[int], known: Sequence[int], asked: Sequence[dict[int, Any]]
) -> list[Rects]:
    """Return a bar for each value and class; where a value of the column is asked about, the others are dim.

    ``asked`` holds for each frame the values by column.
    """
    boxes: list[tuple[float, float, float, float, int]] = []
    owners: list[tuple[int, int]] = []
    for s in shown:
        if isinstance(s.table, NormalTable):
            continue
        n_values, width = len(s.table.values), 0.8 / max(len(s.table.values), 1) / len(classes)
        for v in range(n_values):
            left = (v + 0.1) / n_values
            for i, code in enumerate(classes):
                top = float(s.up(s.table.probabilities[[i], v])[0])
                boxes.append((left + i * width, s.foot + FOOT, left + (i + 1) * width, top, int(code)))
                owners.append((s.column, v))
    if not boxes:
        return []
    wanted = {s.column: s.table.values for s in shown if isinstance(s.table, NominalTable)}
    opacity = []
    for n, values in zip(known, asked, strict=True):
        row = []
        for column, v in owners:
            strong = column not in values or wanted[column][v] == str(values[column])
            row.append((STRONG if strong else DIM) if column < n else 0.0)
        opacity.append(row)
    x0, y0, x1, y1, color = (np.array(side) for side in zip(*boxes, strict=True))
    return [
        Rects(panel="attributes", x0=x0, y0=y0, x1=x1, y1=y1, color=color.astype(np.uint8), opacity=PerFrame(opacity))
    ]


def answers(
    shown: Sequence[Strip], classes: Sequence[int], asked: Sequence[dict[int, Any]], factors: dict[int, Floats]
) -> list[Segments | Points]:
    """Return in the strips of numbers a line at each value that is asked about, and a point on each curve there."""
    numeric = [s for s in shown if isinstance(s.table, NormalTable)]
    found: list[list[tuple[float, Strip]]] = [
        [(s.across(values[s.column]), s) for s in numeric if s.column in values] for values in asked
    ]
    xs = [np.array([x for x, _ in frame]) for frame in found]
    feet = [np.array([s.foot + FOOT for _, s in frame]) for frame in found]
    many = [np.repeat(x, len(classes)) for x in xs]
    heights = [np.concatenate([s.up(factors[s.column]) for _, s in frame]) if frame else np.empty(0) for frame in found]
    colors = [np.tile(np.asarray(classes, np.uint8), len(frame)) for frame in found]
    return [
        Segments(
            panel="attributes",
            x0=PerFrame(xs),
            y0=PerFrame(feet),
            x1=PerFrame(xs),
            y1=PerFrame([foot + TOP - FOOT for foot in feet]),
        ),
        Points(panel="attributes", x=PerFrame(many), y=PerFrame(heights), color=PerFrame(colors)),
    ]


def highlight(shown: Sequence[Strip], current: Sequence[int | None]) -> Rects:
    """Return a tinted background of the strip that each frame is about."""
    feet = {s.column: s.foot for s in shown}
    rows = [np.array([feet[j]]) if j in feet else np.empty(0) for j in current]
    return Rects(
        panel="attributes",
        x0=PerFrame([np.full(len(row), -0.02) for row in rows]),
        y0=PerFrame([row + 0.01 for row in rows]),
        x1=PerFrame([np.full(len(row), 1.02) for row in rows]),
        y1=PerFrame([row + 0.99 for row in rows]),
        color=PerFrame([np.full(len(row), NO_CLASS) for row in rows]),
        opacity=[0.12],
    )
