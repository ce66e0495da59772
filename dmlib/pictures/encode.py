"""Scenes as bytes for the stage, unpacked again for tests, and the ledger as CSV."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.ledger import Cell, Formula, LedgerTable, number
from dmlib.pictures.marks import Channel, Mark, PerFrame, Raster
from dmlib.pictures.scene import Axis, Frame, Handle, Key, Panel, Scene
from dmlib.spreadsheet import inert

FAR = 1000.0
"""From so many widths of an axis away from zero on, positions travel in double precision."""

SIGNED = re.compile(r"[+−-]\d+(\.\d+)?(e[+−-]?\d+)?")
"""A number that is written with its sign, as a label of a class may be."""

FASTEST = 1  # level of compression: what more would save takes longer than sending it


def _block(block: LedgerTable | Formula) -> dict[str, Any]:
    if isinstance(block, Formula):
        return {"text": block.text}
    rows = [[number(cell) for cell in row] for row in block.rows]
    table = {
        "title": block.title,
        "head": list(block.head),
        "rows": rows,
        "emphasis": [int(i) for i in block.emphasis],
    }
    about = {"of": block.by, "numbers": _numbers(block)} if block.by else {}
    return table | about | ({"classes": True} if block.classes else {})


def _numbers(block: LedgerTable) -> list[int | None]:
    """Return the number of what each row of a table is about; None for nothing."""
    cells: Sequence[Cell] = block.numbers or [
        row[list(block.head).index(block.by)] for row in block.rows
    ]
    return [_whole_number(cell) for cell in cells]


def _whole_number(cell: Cell) -> int | None:
    if isinstance(cell, int | float | np.number) and float(cell).is_integer():
        return int(cell)
    return None


class _Arrays:
    """The typed arrays of a scene, each stored once."""

    def __init__(self) -> None:
        self.blobs: list[bytes] = []
        self.specs: list[tuple[str, int, int]] = []
        self.offset = 0
        self.numbers: dict[tuple[str, bytes], int] = {}

    def add(self, array: NDArray[Any]) -> int:
        raw = np.ascontiguousarray(array).tobytes()
        key = (array.dtype.str[1:], raw)
        if key not in self.numbers:
            self.numbers[key] = len(self.specs)
            padded = raw + b"\0" * (-len(raw) % 8)
            self.specs.append((key[0], self.offset, array.size))
            self.blobs.append(padded)
            self.offset += len(padded)
        return self.numbers[key]

    def channel(self, value: Channel, dtype: str, n_frames: int) -> dict[str, int]:
        """Store a channel: its values and, if it changes, the row of each frame and its start.

        Where that is less, only the first row is stored whole: of the others what changes, with its
        places.
        """
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
                # Bytes compare many times faster than arrays, and NaN equals itself.
                raw = array.tobytes()
                if not rows or raw != last:
                    rows.append(array)
                previous, last = row, raw
            index.append(len(rows) - 1)
        if len(rows) == 1:  # it never changes
            return {"values": self.add(rows[0])}
        channel = {"rows": self.add(_counts(index))}
        values, sizes = np.concatenate(rows), np.array([row.size for row in rows])
        changed, lengths = _changes(values, sizes)
        if lengths.sum() * (1 + 2 / values.itemsize) < len(values):
            places = np.arange(len(values)) - np.repeat(sizes.cumsum() - sizes, sizes)
            channel["places"] = self.add(_counts(places[changed]))
            channel["sizes"] = self.add(_counts(sizes))
            values, sizes = values[changed], lengths
        return channel | {
            "values": self.add(values),
            "starts": self.add(_counts(np.append(0, sizes.cumsum()))),
        }


def _counts(numbers: Any) -> NDArray[Any]:
    """Return whole numbers in as few bytes as they need."""
    array = np.asarray(numbers, np.int64)
    return array.astype("u2" if array.max(initial=0) < 2**16 else "u4")


def _changes(
    values: NDArray[Any], sizes: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Return which values differ from those of the row before, and how many of each row.

    All of the first row do, and what is beyond the end of the row before.
    """
    bits, ends = values.view(f"u{values.itemsize}"), sizes.cumsum()  # as bits, NaN equals itself
    changed = np.ones(len(values), bool)
    if (sizes == sizes[0]).all():
        np.not_equal(bits[sizes[0] :], bits[: -sizes[0] or None], out=changed[sizes[0] :])
    else:
        for end, size, next_size in zip(ends, sizes, sizes[1:], strict=False):
            n_common = min(size, next_size)
            row, next_row = bits[end - size :], bits[end:]
            out = changed[end : end + n_common]
            np.not_equal(next_row[:n_common], row[:n_common], out=out)
    counts = np.add.reduceat(np.append(changed, False), ends - sizes, dtype=np.intp)
    return changed, counts * (sizes > 0)


def encode(scene: Scene, **extra: Any) -> bytes:
    """Pack a scene: length of the header, header as JSON, typed arrays; compressed.

    Parameters
    ----------
    scene : Scene
        What to pack.
    **extra
        JSON values that travel in the header beside the scene (how it is mounted: edit mode,
        selected row, ...).

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
    far = {
        panel.name: [letter for letter in "xy" if _far(getattr(panel, letter))]
        for panel in scene.panels
    }
    n_frames = len(scene.frames)
    marks = [_packed(mark, far.get(mark.panel, ()), arrays, n_frames) for mark in scene.marks]
    header = extra | {
        "panels": [_plain(panel) for panel in scene.panels],
        "marks": marks,
        "frames": [_frame(frame) for frame in scene.frames],
        "notes": list(scene.notes),
        "handles": [_attributes(handle) for handle in scene.handles],
        "legend": [_attributes(key) for key in scene.legend],
        "arrays": arrays.specs,
    }
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    head += b" " * (-(4 + len(head)) % 8)
    return zlib.compress(len(head).to_bytes(4, "little") + head + b"".join(arrays.blobs), FASTEST)


def _packed(mark: Mark, far: Sequence[str], arrays: _Arrays, n_frames: int) -> dict[str, Any]:
    """Return a mark with its channels in arrays; axes that are ``far`` have double precision."""
    packed: dict[str, Any] = {"kind": type(mark).__name__}
    for name in (field.name for field in fields(mark)):
        value = getattr(mark, name)
        if value is None:
            continue
        dtype = mark.CHANNELS.get(name)
        if dtype == "f4" and name[0] in far:
            dtype = "f8"
        if isinstance(mark, Raster) and name == "pixels" and mark.palette is not None:
            dtype = "u2"  # a photograph has more than 256 colours
        packed[name] = arrays.channel(value, dtype, n_frames) if dtype else value
    return packed


def _frame(frame: Frame) -> dict[str, Any]:
    ledger = [_block(block) for block in frame.ledger]
    packed = {"caption": frame.caption, "phase": frame.phase, "ledger": ledger}
    return packed | ({"pinned": frame.pinned.caption} if frame.pinned else {})


def _attributes(record: Axis | Handle | Key) -> dict[str, Any]:
    return {field.name: _exact(getattr(record, field.name)) for field in fields(record)}


def _far(axis: Axis) -> bool:
    """Return whether single precision would move marks visibly, far from zero or at extremes."""
    width, top = axis.high - axis.low, max(abs(axis.low), abs(axis.high))
    return top > FAR * width or width < 1e-30 or top > 1e30


def _plain(panel: Panel) -> dict[str, Any]:
    values = {field.name: getattr(panel, field.name) for field in fields(panel)}
    return values | {"x": _attributes(panel.x), "y": _attributes(panel.y)}


def _exact(value: Any) -> Any:
    """Return a number unrounded: the ends of a narrow axis may be close."""
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
    header["arrays"] = [
        np.frombuffer(body, dtype, size, offset) for dtype, offset, size in header["arrays"]
    ]
    return header


def ledger_csv(frames: Iterable[Frame]) -> str:
    """Return the ledger of all frames as CSV, one row per line of arithmetic.

    All rows have as many columns as the widest table. Text that a spreadsheet would run as a
    formula is quoted with an apostrophe; a number with a sign is a number.

    Examples
    --------
    >>> blocks = LedgerTable(("y", "b"), [("−1", 0.5)]), Formula("1 + 1 = 2")
    >>> print(ledger_csv([Frame("Go.", blocks, "add")]), end="")
    step,phase,caption,table,1,2
    0,add,Go.,,y,b
    0,add,,,-1,0.5
    0,add,,,1 + 1 = 2,
    """
    rows = []
    for i, frame in enumerate(frames):
        caption = frame.caption
        for block in frame.ledger or (Formula(""),):
            title = "" if isinstance(block, Formula) else block.title
            for line in _lines(block):
                rows.append(
                    [i, frame.phase, _safe(caption), _safe(title), *(_safe(cell) for cell in line)]
                )
                caption = title = ""
    first = ["step", "phase", "caption", "table"]
    width = max(map(len, rows), default=len(first))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*first, *range(1, width - len(first) + 1)])
    writer.writerows([*row, *[""] * (width - len(row))] for row in rows)
    return out.getvalue()


def _lines(block: LedgerTable | Formula) -> list[Sequence[Cell]]:
    if isinstance(block, Formula):
        return [(block.text,)]
    if not block.classes:
        return [block.head, *block.rows]
    return [("class", *block.head), *((i + 1, *row) for i, row in enumerate(block.rows))]


def _safe(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return cell.replace("−", "-") if SIGNED.fullmatch(cell) else inert(cell)
    return f"{cell:.10g}" if isinstance(cell, float | np.floating) else cell
