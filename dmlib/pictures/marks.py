"""The marks of the picture language: what is drawn in a panel, as plain data.

Every attribute of a mark is either constant or a :class:`PerFrame`, so a picture that changes in
one place costs one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from numpy.typing import ArrayLike

NO_CLASS = 255
"""The colour index of what belongs to no class (noise, not yet assigned): drawn neutral."""


@dataclass(frozen=True)
class PerFrame:
    """A value that changes from frame to frame: one row per frame; the rows may differ in length.

    Repeat the same object for frames in which nothing changes: it is stored once.

    Examples
    --------
    >>> PerFrame([[0, 1], [0, 1], [1, 1]]).rows[2]
    [1, 1]
    """

    rows: Sequence[ArrayLike]


Channel = ArrayLike | PerFrame

NUMBERS = {"numbers": "u4"}
PLACES = {"x": "f4", "y": "f4"} | NUMBERS
ENDS = {"x0": "f4", "y0": "f4", "x1": "f4", "y1": "f4"} | NUMBERS
CODES = {"color": "u1", "symbol": "u1", "hollow": "u1"}
INKS = {"palette": "u1"}


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Base of all marks; ``CHANNELS`` maps attributes that travel as arrays to their types.

    Parameters
    ----------
    panel : str
        The panel that it is drawn in. Marks are drawn in the order of the scene.
    tween : bool
        Whether positions, sizes and opacities glide from frame to frame.
    numbers : channel, optional
        What each part of the mark is about, by its number: the rows of ledger tables with that
        number answer to it.
    of : str
        What the numbers count, as the tables head their column; by default the rows of the data,
        from 1; empty for a mark that no table is about, whatever its colour.
    """

    CHANNELS: ClassVar[dict[str, str]] = NUMBERS

    panel: str = "data"
    tween: bool = True
    numbers: Channel | None = None
    of: str = "row"


@dataclass(frozen=True, kw_only=True)
class Points(Mark):
    """Symbols at positions; class ``c`` has its own colour and, by default, its own symbol.

    Parameters
    ----------
    x, y : channel
        Positions.
    color : channel, optional
        Class of each point (0, 1, ...; ``NO_CLASS`` for none).
    size : channel, optional
        Radius in pixels of each point (one value: of all).
    opacity : channel, optional
        0 to 1, of each point (one value: of all).
    symbol : channel, optional
        The symbol of each point by the number of the class that has it; by default that of its
        colour.
    hollow : channel, optional
        1 for points that are outlined instead of filled (held out, at a border), else 0.
    palette : channel, optional
        Red, green and blue of each class, from 0 to 255, in place of the theme's colours.
    labels : sequence of str
        What the tooltip says of each point.
    classes : sequence of str
        Names of the classes, for tooltips and the legend.
    emphasis : bool
        Drawn on top with an outline (centres, queries).
    data : bool
        Whether these are the rows of the data: they can be selected, and the index is the row
        number.
    leads : {"", "xy", "x"}
        Whether dragging the point goes to the frame in which it is nearest: to the pointer, or to
        its x alone.
    """

    CHANNELS: ClassVar[dict[str, str]] = (
        PLACES | dict.fromkeys(("size", "opacity"), "f4") | CODES | INKS
    )

    x: Channel
    y: Channel
    color: Channel | None = None
    size: Channel | None = None
    opacity: Channel | None = None
    symbol: Channel | None = None
    hollow: Channel | None = None
    palette: Channel | None = None
    labels: Sequence[str] = ()
    classes: Sequence[str] = ()
    emphasis: bool = False
    data: bool = False
    leads: Literal["", "xy", "x"] = ""


@dataclass(frozen=True, kw_only=True)
class Line(Mark):
    """A polyline; NaN interrupts it.

    Parameters
    ----------
    x, y : channel
        Vertices.
    color : int or str
        Class, or one of the roles ``ink``, ``muted``, ``accent``.
    width : float
        In pixels.
    dash : bool
        Whether it is dashed.
    label : str
        What is written at its end.
    """

    CHANNELS: ClassVar[dict[str, str]] = PLACES

    x: Channel
    y: Channel
    color: int | str = "ink"
    width: float = 2.0
    dash: bool = False
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class Segments(Mark):
    """Straight segments: edges of a graph, arrows of a move, whiskers.

    Parameters
    ----------
    x0, y0, x1, y1 : channel
        End points.
    color : channel, optional
        Class of each segment; without it they are drawn in the muted ink.
    width : float
        In pixels.
    size : channel, optional
        The width in pixels of each segment; by default that of all.
    arrow : bool
        Whether each has a head at (x1, y1).
    """

    CHANNELS: ClassVar[dict[str, str]] = ENDS | {"color": "u1", "size": "f4"}

    x0: Channel
    y0: Channel
    x1: Channel
    y1: Channel
    color: Channel | None = None
    width: float = 1.5
    size: Channel | None = None
    arrow: bool = False


@dataclass(frozen=True, kw_only=True)
class Ellipses(Mark):
    """Ellipses in data units (a disc has rx = ry).

    Parameters
    ----------
    x, y, rx, ry : channel
        Centres and semi-axes.
    angle : channel, optional
        Rotation in radians, anticlockwise.
    color : channel, optional
        Class of each ellipse.
    fill : float
        Opacity of the inside.
    """

    CHANNELS: ClassVar[dict[str, str]] = PLACES | {
        "rx": "f4",
        "ry": "f4",
        "angle": "f4",
        "color": "u1",
    }

    x: Channel
    y: Channel
    rx: Channel
    ry: Channel
    angle: Channel | None = None
    color: Channel | None = None
    fill: float = 0.08


@dataclass(frozen=True, kw_only=True)
class Rects(Mark):
    """Axis-parallel rectangles: bars, regions of a tree, cells of a matrix.

    Parameters
    ----------
    x0, y0, x1, y1 : channel
        Opposite corners.
    color : channel, optional
        Class of each rectangle.
    opacity : channel, optional
        0 to 1, of each (one value: of all).
    palette : channel, optional
        Red, green and blue of each class, from 0 to 255, in place of the theme's colours.
    """

    CHANNELS: ClassVar[dict[str, str]] = ENDS | {"color": "u1", "opacity": "f4"} | INKS

    x0: Channel
    y0: Channel
    x1: Channel
    y1: Channel
    color: Channel | None = None
    opacity: Channel | None = None
    palette: Channel | None = None


@dataclass(frozen=True, kw_only=True)
class Texts(Mark):
    """Short labels; one that would lie over one before it, as on a small screen, is left out.

    Parameters
    ----------
    x, y : channel
        Positions.
    text : sequence of str
        One label per position.
    anchor : {"middle", "start", "end"}
        Horizontal alignment.
    dy : float
        Shift downwards in pixels.
    halo : bool
        Whether it has a rim of the background, so that it can be read on lines.
    """

    CHANNELS: ClassVar[dict[str, str]] = PLACES

    x: Channel
    y: Channel
    text: Sequence[str]
    anchor: str = "middle"
    dy: float = 0.0
    halo: bool = False


@dataclass(frozen=True, kw_only=True)
class Cells(Mark):
    """The Voronoi cells of sites: every place of the panel in the colour of its nearest site.

    Parameters
    ----------
    x, y : channel
        Sites.
    color : channel, optional
        Class of each site; by default its index.
    """

    CHANNELS: ClassVar[dict[str, str]] = PLACES | {"color": "u1"}

    x: Channel
    y: Channel
    color: Channel | None = None


@dataclass(frozen=True, kw_only=True)
class Raster(Mark):
    """An image under everything else: classes, shades of one colour, or true colours.

    Parameters
    ----------
    pixels : channel
        ``width * height`` values, row by row from the top left: a class, with ``ramp`` a shade from
        0 to 255, with a ``palette`` the number of a colour, below 65,536. An empty row: nothing is
        drawn in that frame.
    shade : channel, optional
        How strong the colour of each pixel is, from 0 to 255: how sure a classifier is.
    width, height : int
        Size in pixels.
    extent : tuple of (float, float, float, float)
        x0, x1, y0, y1 in data units.
    ramp : bool
        Whether the values are shades of one colour ramp instead of classes.
    palette : channel, optional
        Red, green and blue of each colour, from 0 to 255: three values a colour. Its pixels have
        sharp edges.
    opacity : float
        Of the whole image.
    crisp : bool
        Whether each pixel is a square with sharp edges; otherwise they flow into each other.
    """

    CHANNELS: ClassVar[dict[str, str]] = {"pixels": "u1", "shade": "u1"} | INKS | NUMBERS

    pixels: Channel
    width: int
    height: int
    extent: tuple[float, float, float, float]
    shade: Channel | None = None
    ramp: bool = False
    palette: Channel | None = None
    opacity: float = 0.35
    crisp: bool = False
