"""The distributions of the attributes within the classes: a strip for each, of curves or bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.conditionals import NominalTable, NormalTable, Table
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Rects, Texts
from dmlib.pictures.places import points_at, segments_between, visible_if
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import num
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_texts

MAX_STRIPS = 6
MAX_CURVES = 60  # strips times classes
MAX_BARS = 90  # in a strip
MAX_NAMES = 7  # values whose names fit under the bars,
MAX_CHARACTERS = 42  # and the room for all of them
N_PLACES = 97  # places on a curve, at least
FOOT = 0.22  # where in its strip a curve starts
TOP = 0.76  # where the highest one ends
HEAD = 0.84  # where the name of an attribute is written
ABOVE, BELOW = 0.06, 0.12  # room around the strips, for each: on a phone the names need it
STRONG = 0.9  # opacity of the bars of the query's value
DIM = 0.25  # and of others

Values = Mapping[int, str | float]
"""Values of the query, by column."""


@dataclass(frozen=True)
class Strip:
    """One attribute.

    Attributes
    ----------
    column : int
        Its number.
    table : NominalTable or NormalTable
        Its distribution within each class.
    foot : float
        Where its strip begins.
    low, high : float
        The numbers at the left and right end.
    scale : float
        The factor that makes a density or probability a height.
    """

    column: int
    table: Table
    foot: float
    low: float
    high: float
    scale: float

    @property
    def is_nominal(self) -> bool:
        """Whether it has bars and not curves."""
        return isinstance(self.table, NominalTable)

    def across(self, number: float) -> float:
        """Return where a number is drawn, from 0 to 1."""
        return float(np.clip((number - self.low) / (self.high - self.low), 0.0, 1.0))

    def heights(self, factors: Floats) -> Floats:
        """Return how high factors are drawn."""
        heights: Floats = self.foot + FOOT + np.minimum(factors * self.scale, TOP - FOOT)
        return heights


def strips(problem: Problem, tables: Sequence[Table]) -> list[Strip]:
    """Return the strips of the columns in view, and of as many others as there is room for."""
    is_in_view = (problem.plane.basis != 0).any(axis=0)
    columns = [
        j
        for j, table in enumerate(tables)
        if isinstance(table, NormalTable) or table.probabilities.size <= MAX_BARS
    ]
    columns.sort(key=lambda j: not is_in_view[j])
    n = max(2, min(MAX_STRIPS, MAX_CURVES // len(problem.classes)))
    columns = sorted(columns[:n])
    feet = range(len(columns) - 1, -1, -1)
    return [
        _strip(problem, tables[j], j, float(foot)) for j, foot in zip(columns, feet, strict=True)
    ]


def _strip(problem: Problem, table: Table, column: int, foot: float) -> Strip:
    if isinstance(table, NominalTable):
        top = float(table.probabilities.max(initial=0.0)) or 1.0
        return Strip(column, table, foot, 0.0, 1.0, (TOP - FOOT) / top)
    finite = problem.X[:, column][np.isfinite(problem.X[:, column])]
    low, high = 0.0, 1.0
    if finite.size:
        low, high = float(finite.min()), float(finite.max())
    pad = 0.06 * (high - low) or max(abs(low), 1.0) * 0.5
    low -= pad
    high += pad
    highest = float(np.exp(table.log_factors(_places(table, low, high))).max())
    return Strip(column, table, foot, low, high, (TOP - FOOT) / max(highest, 1e-300))


def _places(table: NormalTable, low: float, high: float) -> Floats:
    """Return where a curve is computed: at equal steps, and around the means of narrow peaks."""
    steps = np.linspace(low, high, N_PLACES)
    sd = np.sqrt(table.variance)
    narrow = sd < steps[1] - steps[0]
    around = table.mean[narrow, None] + sd[narrow, None] * [-4.0, 0.0, 4.0]
    places: Floats = np.union1d(steps, around.clip(low, high))
    return places


class StripPanel:
    """The panel of the strips; their scales are written in it.

    Parameters
    ----------
    problem : Problem
        The data.
    tables : sequence of NominalTable or NormalTable
        The table of each column.
    codes : sequence of int
        The codes of the tables' rows.
    """

    def __init__(self, problem: Problem, tables: Sequence[Table], codes: Sequence[int]) -> None:
        self._strips = strips(problem, tables)
        self._codes = np.asarray(codes, np.uint8)
        self._bars = [_bars(strip, self._codes) for strip in self._strips if strip.is_nominal]
        self._curves = [
            (strip, curve)
            for strip in self._strips
            if not strip.is_nominal
            for curve in _curves(strip, self._codes)
        ]
        self._names = _names(problem, self._strips)

    def __len__(self) -> int:
        """Return the number of strips."""
        return len(self._strips)

    def panel(self) -> Panel:
        """Return the panel."""
        n = len(self)
        x = Axis("", -0.02, 1.02, ticks=("",))
        y = Axis("", -BELOW * n, max(n, 1) + ABOVE * n, ticks=("",))
        return Panel("attributes", x, y, "Columns within the classes")

    def marks(
        self, column: int | None, n_columns: int, values: Values, factors: Mapping[int, Floats]
    ) -> list[Mark]:
        """Return the strips in one step.

        Parameters
        ----------
        column : int or None
            The column that the step is about.
        n_columns : int
            The number of columns whose tables are estimated.
        values : mapping of int to str or float
            The values of the query so far, by column.
        factors : mapping of int to ndarray of shape (n_classes,)
            The factors of the query, by column.
        """
        return [
            self._background(column),
            *self._all_bars(n_columns, values),
            *(visible_if(strip.column < n_columns, curve) for strip, curve in self._curves),
            *self._query(values, factors),
            *self._names,
        ]

    def _background(self, column: int | None) -> Rects:
        """Return the tinted background of the strip of a column."""
        feet = np.array([strip.foot for strip in self._strips if strip.column == column])
        return Rects(
            panel="attributes",
            x0=np.full(len(feet), -0.02),
            y0=feet + 0.01,
            x1=np.full(len(feet), 1.02),
            y1=feet + 0.99,
            color=np.full(len(feet), NO_CLASS),
            opacity=[0.12],
        )

    def _all_bars(self, n_columns: int, values: Values) -> list[Rects]:
        """Return the bars of all nominal columns in one mark; none without bars."""
        if not sum(len(bars.color) for bars in self._bars):
            return []
        x0, y0, x1, y1 = np.vstack([bars.corners for bars in self._bars]).T
        opacity = np.concatenate([bars.opacity(n_columns, values) for bars in self._bars])
        colors = np.concatenate([bars.color for bars in self._bars])
        box = {"x0": x0, "y0": y0, "x1": x1, "y1": y1}
        return [Rects(panel="attributes", **box, color=colors, opacity=opacity)]

    def _query(self, values: Values, factors: Mapping[int, Floats]) -> list[Mark]:
        """Return a line at each numeric value of the query, and points where it meets curves."""
        numeric = [
            strip for strip in self._strips if not strip.is_nominal and strip.column in values
        ]
        x = np.array([strip.across(float(values[strip.column])) for strip in numeric])
        feet = np.array([strip.foot for strip in numeric])
        heights = [strip.heights(factors[strip.column]) for strip in numeric]
        n_classes = len(self._codes)
        return [
            segments_between(
                np.column_stack([x, feet + FOOT]),
                np.column_stack([x, feet + TOP]),
                panel="attributes",
            ),
            points_at(
                np.column_stack([np.repeat(x, n_classes), np.ravel(heights)]),
                panel="attributes",
                color=np.tile(self._codes, len(numeric)),
            ),
        ]


@dataclass(frozen=True)
class Bars:
    """The bars of a nominal column: one for each value and class.

    Attributes
    ----------
    column : int
        The column.
    corners : ndarray of shape (n_bars, 4)
        Left, lower, right and upper edge of each.
    color : ndarray of shape (n_bars,)
        Their classes.
    values : ndarray of shape (n_bars,)
        Their values.
    """

    column: int
    corners: Floats
    color: NDArray[np.uint8]
    values: NDArray[Any]

    def opacity(self, n_columns: int, values: Values) -> Floats:
        """Return their opacity: 0 before the column is counted; once queried, others are dim."""
        if self.column >= n_columns:
            return np.zeros(len(self.color))
        if self.column not in values:
            return np.full(len(self.color), STRONG)
        value = values[self.column]
        if not isinstance(value, str):  # a count, of which 0 has the factor 1
            return np.full(len(self.color), STRONG if value else DIM)
        return np.where(self.values == value, STRONG, DIM)


def _bars(strip: Strip, codes: NDArray[np.uint8]) -> Bars:
    assert isinstance(strip.table, NominalTable)
    n_values = len(strip.table.values)
    n_classes = len(codes)
    value, place = np.divmod(np.arange(n_values * n_classes), n_classes)
    width = 0.8 / max(n_values, 1) / n_classes
    start = (value + 0.1) / max(n_values, 1) + place * width
    low = np.full(len(value), strip.foot + FOOT)
    high = strip.heights(strip.table.probabilities[place, value])
    names = np.array(strip.table.values, object)[value]
    return Bars(
        strip.column, np.column_stack([start, low, start + width, high]), codes[place], names
    )


def _curves(strip: Strip, codes: NDArray[np.uint8]) -> list[Line]:
    """Return the density of a numeric column in each class."""
    assert isinstance(strip.table, NormalTable)
    values = _places(strip.table, strip.low, strip.high)
    x = (values - strip.low) / (strip.high - strip.low)
    heights = strip.heights(np.exp(strip.table.log_factors(values)))
    return [
        Line(panel="attributes", x=x, y=y, color=int(code))
        for code, y in zip(codes, heights.T, strict=True)
    ]


def _names(problem: Problem, all_strips: Sequence[Strip]) -> list[Texts]:
    """Return the names of attributes and values, and the numbers at the ends."""
    features, values, lowest, highest = [], [], [], []
    for strip in all_strips:
        foot = strip.foot + FOOT
        features.append((0.0, strip.foot + HEAD, problem.features[strip.column]))
        if isinstance(strip.table, NominalTable):
            numbers = problem.X[:, strip.column]
            values += [(x, foot, text) for x, text in _values(strip.table, numbers)]
        else:
            lowest.append((0.0, foot, num(strip.low, 3)))
            highest.append((1.0, foot, num(strip.high, 3)))
    return [
        *_texts(features, "start", 0.0),
        *_texts(values, "middle", 13.0),
        *_texts(lowest, "start", 13.0),
        *_texts(highest, "end", 13.0),
    ]


def _texts(labels: Sequence[tuple[float, float, str]], anchor: str, dy: float) -> list[Texts]:
    """Return labels at their places as one mark; no mark where there are none."""
    if not labels:
        return []
    x, y, text = zip(*labels, strict=True)
    return [Texts(panel="attributes", x=x, y=y, text=text, anchor=anchor, dy=dy)]


def _values(table: NominalTable, x: Floats) -> list[tuple[float, str]]:
    """Return places across and texts of the values, of a cut column of its cuts.

    The numbers of a cut column, ``x``, say how many digits its cuts need.
    """
    n = len(table.values)
    if n > MAX_NAMES:
        return []
    if table.cuts is not None:
        cuts = threshold_texts(table.cuts, x, 3, inclusive=False)
        return [((i + 1) / n, cut.replace("-", "−")) for i, cut in enumerate(cuts)]
    room = MAX_CHARACTERS // max(n, 1)
    texts = [value if len(value) <= room else f"{value[: room - 1]}…" for value in table.values]
    return [((i + 0.5) / n, text) for i, text in enumerate(texts)]
