"""A scene as plain data: panels, marks, frames, captions and ledgers.

Nothing here computes anything about the data; :func:`dmlib.pictures.encode.encode` packs a scene
into the bytes that the stage in ``assets/stage/`` draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.trace import look


@dataclass(frozen=True)
class Axis:
    """One axis of a panel.

    Parameters
    ----------
    label : str
        What is measured, with its unit.
    low, high : float
        The range that is shown before anybody zooms.
    integer : bool
        Whether only whole numbers get a tick (iterations, counts).
    ticks : sequence of str
        Names of the places 0, 1, 2, ... on an axis of categories; empty for numbers.
    """

    label: str
    low: float
    high: float
    integer: bool = False
    ticks: Sequence[str] = ()


@dataclass(frozen=True)
class Panel:
    """A region with two axes.

    Parameters
    ----------
    name : str
        What marks refer to.
    x, y : Axis
        Its axes.
    title : str
        A short heading; empty for none.
    side : bool
        Small, beside the ledger, instead of large. Several large panels share the width.
    equal : bool
        One unit is as long on both axes, so that circles look like circles.
    """

    name: str
    x: Axis
    y: Axis
    title: str = ""
    side: bool = False
    equal: bool = False

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Its ends x0, x1, y0, y1, as an image that fills it has them."""
        return (self.x.low, self.x.high, self.y.low, self.y.high)

    @property
    def size(self) -> NDArray[np.float64]:
        """Its width and height in units of the axes, shape (2,)."""
        return np.array([self.x.high - self.x.low, self.y.high - self.y.low])


def step_panel(
    name: str, label: str, last: int, heights: ArrayLike, title: str, pad: float
) -> Panel:
    """Return a small panel of a number after each step from 0 to ``last``.

    Examples
    --------
    >>> panel = step_panel("objective", "W", 10, [1.0, 3.0], "Dual objective", 0.5)
    >>> panel.x.high, panel.y.low, panel.y.high
    (10.2, 0.0, 4.0)
    """
    end = max(last, 1)
    x = Axis("step", -0.02 * end, 1.02 * end, integer=True)
    return Panel(name, x, Axis(label, *bounds(heights, pad)), title=title, side=True)


@dataclass(frozen=True)
class Frame:
    """Caption, ledger and phase of a frame, beside its marks.

    Parameters
    ----------
    caption : str
        One sentence that says what happened; it is also read aloud.
    ledger : sequence of LedgerTable or Formula
        The arithmetic of this step.
    phase : str
        The textbook's verb.
    step : object
        The record that the algorithm yielded; None for the data alone.
    is_last : bool
        Whether the run ends here.
    pinned : Frame, optional
        The frame of the run that is pinned at its left.
    """

    caption: str
    ledger: Sequence[LedgerTable | Formula] = ()
    phase: str = ""
    step: object = field(default=None, compare=False, repr=False)
    is_last: bool = True
    pinned: Frame | None = None

    def __post_init__(self) -> None:
        look()  # a scene is as long as its run


@dataclass(frozen=True)
class Handle:
    """A control on the picture, dragged where its value is drawn.

    Parameters
    ----------
    name : str
        The parameter or option that it sets; ``query`` for the place that is asked about.
    panel : str
        The panel that it is in.
    label : str
        What it is, in a word or two.
    kind : {"point", "x", "y", "turn"}
        A point, which also comes to where the panel is clicked; a vertical line at ``x``; a
        horizontal one at ``y``; the end of a line that turns around a centre and sets its angle, in
        degrees from 0 to 180.
    x, y : float, optional
        Where it stands; a point without them is nowhere yet.
    around : tuple of (float, float), optional
        The centre that the line of a ``turn`` goes through.
    """

    name: str
    panel: str
    label: str
    kind: Literal["point", "x", "y", "turn", "grids"] = "point"
    x: float | None = None
    y: float | None = None
    around: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Grids(Handle):
    """Grids of cells that the reader switches on and off, by the pointer or by keys.

    Parameters
    ----------
    kind : str
        Always "grids".
    places : sequence of (float, float)
        The top left corner of each grid; a cell is a square of one unit.
    height, width : int
        Cells of each grid.
    cells : str
        One character a cell, ``1`` for those that are on, grid by grid and row by row.
    live : bool
        Whether the picture follows while cells are switched, since the data stay the same.
    """

    kind: Literal["point", "x", "y", "turn", "grids"] = "grids"
    places: Sequence[tuple[float, float]]
    height: int
    width: int
    cells: str
    live: bool = False


@dataclass(frozen=True)
class Key:
    """One entry of the legend.

    Parameters
    ----------
    text : str
        What the symbol stands for.
    color : int
        The class whose colour it has; ``NO_CLASS`` for neutral.
    symbol : int, optional
        The class whose symbol it has; by default that of the colour.
    hollow : bool
        Whether it is outlined instead of filled.
    kind : {"mark", "line", "dash", "area"}
        What it stands for: symbols, a line, a dashed line, or a region.
    """

    text: str
    color: int = NO_CLASS
    symbol: int | None = None
    hollow: bool = False
    kind: Literal["mark", "line", "dash", "area"] = "mark"


@dataclass(frozen=True)
class Scene:
    """Panels, marks and frames, with notes below, handles and a legend.

    ``steps`` are the records that the frames show, where they show steps of a run.

    Examples
    --------
    >>> from dmlib.pictures.encode import decode, encode
    >>> from dmlib.pictures.marks import Points
    >>> panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))
    >>> scene = Scene((panel,), (Points(x=[0, 1], y=[0, 1]),), (Frame("Two points."),))
    >>> decode(encode(scene))["frames"][0]["caption"]
    'Two points.'
    """

    panels: Sequence[Panel]
    marks: Sequence[Mark]
    frames: Sequence[Frame]
    notes: Sequence[str] = field(default=())
    handles: Sequence[Handle] = field(default=())
    legend: Sequence[Key] = field(default=())
    steps: Sequence[object] = field(default=(), compare=False, repr=False)


def bounds(values: ArrayLike, pad: float = 0.06) -> tuple[float, float]:
    """Return the range of finite values with a margin, and never an empty one.

    Examples
    --------
    >>> bounds([0.0, 1.0], pad=0.5)
    (-0.5, 1.5)
    >>> bounds([3.0, 3.0])
    (2.5, 3.5)
    """
    array = np.asarray(values, float)
    array = array[np.isfinite(array)]
    low, high = (float(array.min()), float(array.max())) if array.size else (0.0, 1.0)
    margin = (high - low) * pad or 0.5
    return low - margin, high + margin
