"""The picture language of the stage: panels, marks, frames, captions and ledgers, as plain data.

A scene is what a person sees of a trace. Every attribute of a mark is either constant or a :class:`PerFrame`, so a
picture that changes in one place costs one place. ``encode`` packs a scene into the bytes that ``assets/stage.js``
draws; nothing here computes anything about the data.
"""

from __future__ import annotations

import csv
import io
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.spreadsheet import inert

NO_CLASS = 255
"""The colour index of what belongs to no class (noise, not yet assigned): drawn neutral."""

FAR = 1000.0
"""From so many widths of an axis away from zero on, positions travel in double precision."""

FASTEST = 1  # level of compression: what more would save takes longer than sending it


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


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Base of all marks. ``CHANNELS`` names the attributes that travel as typed arrays, with their type.

    Parameters
    ----------
    panel : str
        The panel that it is drawn in. Marks are drawn in the order of the scene.
    tween : bool
        Whether positions glide from frame to frame while playing.
    """

    CHANNELS: ClassVar[dict[str, str]] = {}

    panel: str = "data"
    tween: bool = False


@dataclass(frozen=True, kw_only=True)
class Points(Mark):
    """Symbols at positions. Class ``c`` has its own colour and, unless told otherwise, its own symbol.

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
        The symbol of each point by the number of the class that has it; by default that of its colour.
    hollow : channel, optional
        1 for points that are outlined instead of filled (held out, at a border), else 0.
    labels : sequence of str
        What the tooltip says of each point.
    classes : sequence of str
        Names of the classes, for tooltips and the legend.
    emphasis : bool
        Drawn on top with an outline (centres, queries).
    data : bool
        Whether these are the rows of the data: they can be selected, and the index is the row number.
    """

    CHANNELS: ClassVar[dict[str, str]] = {
        "x": "f4",
        "y": "f4",
        "color": "u1",
        "size": "f4",
        "opacity": "f4",
        "symbol": "u1",
        "hollow": "u1",
    }

    x: Channel
    y: Channel
    color: Channel | None = None
    size: Channel | None = None
    opacity: Channel | None = None
    symbol: Channel | None = None
    hollow: Channel | None = None
    labels: Sequence[str] = ()
    classes: Sequence[str] = ()
    emphasis: bool = False
    data: bool = False


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
    """

    CHANNELS: ClassVar[dict[str, str]] = {"x": "f4", "y": "f4"}

    x: Channel
    y: Channel
    color: int | str = "ink"
    width: float = 2.0
    dash: bool = False


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
    arrow : bool
        Whether each has a head at (x1, y1).
    """

    CHANNELS: ClassVar[dict[str, str]] = {"x0": "f4", "y0": "f4", "x1": "f4", "y1": "f4", "color": "u1"}

    x0: Channel
    y0: Channel
    x1: Channel
    y1: Channel
    color: Channel | None = None
    width: float = 1.5
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

    CHANNELS: ClassVar[dict[str, str]] = {"x": "f4", "y": "f4", "rx": "f4", "ry": "f4", "angle": "f4", "color": "u1"}

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
    """

    CHANNELS: ClassVar[dict[str, str]] = {
        "x0": "f4",
        "y0": "f4",
        "x1": "f4",
        "y1": "f4",
        "color": "u1",
        "opacity": "f4",
    }

    x0: Channel
    y0: Channel
    x1: Channel
    y1: Channel
    color: Channel | None = None
    opacity: Channel | None = None


@dataclass(frozen=True, kw_only=True)
class Texts(Mark):
    """Short labels.

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
    """

    CHANNELS: ClassVar[dict[str, str]] = {"x": "f4", "y": "f4"}

    x: Channel
    y: Channel
    text: Sequence[str]
    anchor: str = "middle"
    dy: float = 0.0


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

    CHANNELS: ClassVar[dict[str, str]] = {"x": "f4", "y": "f4", "color": "u1"}

    x: Channel
    y: Channel
    color: Channel | None = None


@dataclass(frozen=True, kw_only=True)
class Raster(Mark):
    """An image of class indices under everything else, one byte a pixel.

    Parameters
    ----------
    pixels : channel
        ``width * height`` values, row by row from the top left: a class, or with ``ramp`` a shade from 0 to 255.
        An empty row: nothing is drawn in that frame.
    shade : channel, optional
        How strong the colour of each pixel is, from 0 to 255: how sure a classifier is.
    width, height : int
        Size in pixels.
    extent : tuple of (float, float, float, float)
        x0, x1, y0, y1 in data units.
    ramp : bool
        Whether the values are shades of one colour ramp instead of classes.
    opacity : float
        Of the whole image.
    """

    CHANNELS: ClassVar[dict[str, str]] = {"pixels": "u1", "shade": "u1"}

    pixels: Channel
    width: int
    height: int
    extent: tuple[float, float, float, float]
    shade: Channel | None = None
    ramp: bool = False
    opacity: float = 0.35


def graph(
    x: ArrayLike, y: ArrayLike, edges: ArrayLike, *, panel: str = "data", color: Channel | None = None, **points: Any
) -> tuple[Segments, Points]:
    """Return the two marks of a graph: its edges under its nodes.

    Parameters
    ----------
    x, y : array-like of shape (n_nodes,)
        Positions.
    edges : array-like of shape (n_edges, 2)
        Node indices.
    panel : str
        The panel.
    color : channel, optional
        Class of each node.
    **points
        Further attributes of the nodes.

    Examples
    --------
    >>> segments, nodes = graph([0, 1], [0, 2], [[0, 1]])
    >>> segments.y1
    array([2.])
    """
    nodes_x, nodes_y = np.asarray(x, float), np.asarray(y, float)
    start, end = np.asarray(edges, int).reshape(-1, 2).T
    lines = Segments(panel=panel, x0=nodes_x[start], y0=nodes_y[start], x1=nodes_x[end], y1=nodes_y[end], width=1.0)
    return lines, Points(panel=panel, x=nodes_x, y=nodes_y, color=color, **points)


Cell = str | int | float | None


@dataclass(frozen=True)
class LedgerTable:
    """A small table of numbers.

    Parameters
    ----------
    head : sequence of str
        Column names.
    rows : sequence of sequences
        Cells: text, whole numbers, floats (shown with six significant digits) or None for nothing.
    title : str
        What the table shows.
    emphasis : sequence of int
        Rows that the step is about.
    classes : bool
        Whether row i belongs to class i and carries its symbol and number (from 1).
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    emphasis: Sequence[int] = ()
    classes: bool = False


@dataclass(frozen=True)
class Formula:
    """One line of arithmetic with the numbers put in, as plain text."""

    text: str


@dataclass(frozen=True)
class Frame:
    """What a step shows: the state of all marks with its index, and this.

    Parameters
    ----------
    caption : str
        One sentence that says what happened; it is also read aloud.
    ledger : sequence of LedgerTable or Formula
        The arithmetic of this step.
    phase : str
        The textbook's verb.
    """

    caption: str
    ledger: Sequence[LedgerTable | Formula] = ()
    phase: str = ""


@dataclass(frozen=True)
class Handle:
    """A control on the picture: it is dragged where its value is drawn, and the page takes the value over.

    Parameters
    ----------
    name : str
        The parameter or option that it sets; ``query`` for the place that is asked about.
    panel : str
        The panel that it is in.
    label : str
        What it is, in a word or two.
    kind : {"point", "x", "y", "turn"}
        A point, which also comes to where the panel is clicked; a vertical line at ``x``; a horizontal one at ``y``;
        the end of a line that turns around a centre and sets its angle, in degrees from 0 to 180.
    x, y : float, optional
        Where it stands; a point without them is nowhere yet.
    around : tuple of (float, float), optional
        The centre that the line of a ``turn`` goes through.
    """

    name: str
    panel: str
    label: str
    kind: Literal["point", "x", "y", "turn"] = "point"
    x: float | None = None
    y: float | None = None
    around: tuple[float, float] | None = None


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
    """

    text: str
    color: int = NO_CLASS
    symbol: int | None = None
    hollow: bool = False


@dataclass(frozen=True)
class Scene:
    """Panels, marks and frames; notes are sentences below, handles can be dragged, the legend names symbols.

    Examples
    --------
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


def number(value: Cell) -> Cell:
    """Round a float to six significant digits; leave everything else."""
    if isinstance(value, float | np.floating):
        return float(f"{value:.6g}") if np.isfinite(value) else str(float(value))
    return int(value) if isinstance(value, np.integer) else value


def _block(block: LedgerTable | Formula) -> dict[str, Any]:
    if isinstance(block, Formula):
        return {"text": block.text}
    rows = [[number(cell) for cell in row] for row in block.rows]
    table = {"title": block.title, "head": list(block.head), "rows": rows, "emphasis": [int(i) for i in block.emphasis]}
    return table | {"classes": True} if block.classes else table


class _Arrays:
    """The typed arrays of a scene, each stored once."""

    def __init__(self) -> None:
        self.blobs: list[bytes] = []
        self.specs: list[tuple[str, int, int]] = []
        self.offset = 0
        self.known: dict[tuple[str, bytes], int] = {}

    def add(self, array: NDArray[Any]) -> int:
        raw = np.ascontiguousarray(array).tobytes()
        key = (array.dtype.str[1:], raw)
        if key not in self.known:
            self.known[key] = len(self.specs)
            padded = raw + b"\0" * (-len(raw) % 8)
            self.specs.append((key[0], self.offset, array.size))
            self.blobs.append(padded)
            self.offset += len(padded)
        return self.known[key]

    def channel(self, value: Channel, dtype: str, n_frames: int) -> dict[str, int]:
        """Store a channel: its values and, if it changes, where each row starts and which row each frame shows."""
        if not isinstance(value, PerFrame):
            return {"values": self.add(np.asarray(value, dtype).ravel())}
        if len(value.rows) != n_frames:
            raise ValueError(f"A channel has {len(value.rows)} rows for {n_frames} frames.")
        rows: list[NDArray[Any]] = []
        index: list[int] = []
        previous: object = None
        last = b""
        for row in value.rows:
            if row is not previous or not rows:
                array = np.asarray(row, dtype).ravel()
                raw = array.tobytes()  # bytes compare many times faster than arrays, and NaN equals itself
                if not rows or raw != last:
                    rows.append(array)
                previous, last = row, raw
            index.append(len(rows) - 1)
        starts = np.cumsum([0, *(row.size for row in rows)])
        return {
            "values": self.add(np.concatenate(rows)),
            "starts": self.add(starts.astype("u2" if starts[-1] < 2**16 else "u4")),
            "rows": self.add(np.asarray(index, "u2" if len(rows) < 2**16 else "u4")),
        }


def encode(scene: Scene, **extra: Any) -> bytes:
    """Pack a scene: header length (u32, little endian), JSON header, typed arrays on 8-byte boundaries; compressed.

    Parameters
    ----------
    scene : Scene
        What to pack.
    **extra
        JSON values that travel in the header beside the scene (how it is mounted: edit mode, selected row, ...).

    Returns
    -------
    bytes
        As zlib packs them; about 20 kB for 100 frames of 500 points.

    Raises
    ------
    ValueError
        If a channel has another number of rows than the scene has frames.
    """
    arrays = _Arrays()
    marks = []
    far = {panel.name: [letter for letter in "xy" if _far(getattr(panel, letter))] for panel in scene.panels}
    for mark in scene.marks:
        packed: dict[str, Any] = {"kind": type(mark).__name__}
        for name in (f.name for f in fields(mark)):
            value = getattr(mark, name)
            if value is None:
                continue
            dtype = mark.CHANNELS.get(name)
            if dtype == "f4" and name[0] in far.get(mark.panel, ()):
                dtype = "f8"
            packed[name] = arrays.channel(value, dtype, len(scene.frames)) if dtype else value
        marks.append(packed)
    header = extra | {
        "panels": [_plain(panel) for panel in scene.panels],
        "marks": marks,
        "frames": [
            {"caption": f.caption, "phase": f.phase, "ledger": [_block(b) for b in f.ledger]} for f in scene.frames
        ],
        "notes": list(scene.notes),
        "handles": [{f.name: _exact(getattr(handle, f.name)) for f in fields(Handle)} for handle in scene.handles],
        "legend": [{f.name: getattr(key, f.name) for f in fields(Key)} for key in scene.legend],
        "arrays": arrays.specs,
    }
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    head += b" " * (-(4 + len(head)) % 8)
    return zlib.compress(len(head).to_bytes(4, "little") + head + b"".join(arrays.blobs), FASTEST)


def _far(axis: Axis) -> bool:
    """Return whether single precision would move marks visibly: a narrow axis far from zero, huge or tiny numbers."""
    width, top = axis.high - axis.low, max(abs(axis.low), abs(axis.high))
    return top > FAR * width or width < 1e-30 or top > 1e30


def _plain(panel: Panel) -> dict[str, Any]:
    out = {f.name: getattr(panel, f.name) for f in fields(panel)}
    return out | {axis: {f.name: _exact(getattr(out[axis], f.name)) for f in fields(Axis)} for axis in ("x", "y")}


def _exact(value: Any) -> Any:
    """Return a number as it is: rounded, the ends of a narrow axis far from zero would fall together."""
    return float(value) if isinstance(value, np.floating) else value


def decode(data: bytes) -> dict[str, Any]:
    """Unpack what ``encode`` packed: the header, with ``arrays`` as numpy arrays.

    Examples
    --------
    >>> sorted(decode(encode(Scene((), (), ()), title="empty")))
    ['arrays', 'frames', 'handles', 'legend', 'marks', 'notes', 'panels', 'title']
    """
    data = zlib.decompress(data)
    length = int.from_bytes(data[:4], "little")
    header: dict[str, Any] = json.loads(data[4 : 4 + length])
    body = data[4 + length :]
    header["arrays"] = [np.frombuffer(body, dtype, size, offset) for dtype, offset, size in header["arrays"]]
    return header


def ledger_csv(frames: Iterable[Frame]) -> str:
    """Return the ledger of all frames as CSV: step, phase, block, and one row per line of arithmetic.

    Text that a spreadsheet would run as a formula is quoted with an apostrophe.

    Examples
    --------
    >>> print(ledger_csv([Frame("Go.", (LedgerTable(("a", "b"), [(1, 0.5)]),), "start")]), end="")
    step,phase,caption,table,columns...
    0,start,Go.,,a,b
    0,start,,,1,0.5
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["step", "phase", "caption", "table", "columns..."])
    for i, frame in enumerate(frames):
        caption = frame.caption
        for block in frame.ledger or (Formula(""),):
            title = "" if isinstance(block, Formula) else block.title
            for line in _lines(block):
                writer.writerow([i, frame.phase, _safe(caption), _safe(title), *(_safe(cell) for cell in line)])
                caption = title = ""
    return out.getvalue()


def _lines(block: LedgerTable | Formula) -> list[Sequence[Cell]]:
    if isinstance(block, Formula):
        return [(block.text,)]
    if not block.classes:
        return [block.head, *block.rows]
    return [("class", *block.head), *((i + 1, *row) for i, row in enumerate(block.rows))]


def _safe(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return inert(cell)
    return f"{cell:.10g}" if isinstance(cell, float | np.floating) else cell


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
