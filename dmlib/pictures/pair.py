"""Two scenes as one: a run that is pinned at the left, and another beside it, in lock-step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.pictures.deferred import Deferred, Film
from dmlib.pictures.ledger import Formula
from dmlib.pictures.marks import Channel, Mark, PerFrame, Points, Segments
from dmlib.pictures.motion import still
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene

PINNED = "pinned."
"""Before the names of the left scene's panels."""
DIAMOND = 3  # rings are support vectors, seeds and more
DIFFERS = Key("differs between the two", symbol=DIAMOND, hollow=True)
JOINS = Key("joined in this one only", color=6, kind="line")
FLAT = 4.0  # times an axis: on a common scale so much longer its picture would be flat
RING = 9.0  # pixels, around a row
LEDGER = Formula("The pinned run:")

FramePairs = Sequence[tuple[int, int]]
"""Which frame of the left scene stands beside which of the right one."""
Rows = Sequence[bool]


def paired_frames(n_left: int, n_right: int, *, in_step: bool) -> list[tuple[int, int]]:
    """Return the frames that stand side by side.

    Parameters
    ----------
    n_left, n_right : int
        The numbers of frames.
    in_step : bool
        Whether both go step by step, and the shorter one waits at its end; otherwise both go from
        beginning to end, each by its share of the way.

    Examples
    --------
    >>> paired_frames(2, 3, in_step=True)
    [(0, 0), (1, 1), (1, 2)]
    >>> paired_frames(3, 5, in_step=False)
    [(0, 0), (0, 1), (1, 2), (2, 3), (2, 4)]
    """
    n_frames, left_end, right_end = max(n_left, n_right), n_left - 1, n_right - 1
    if in_step:
        return [(min(i, left_end), min(i, right_end)) for i in range(n_frames)]
    last = max(n_frames - 1, 1)
    return [(round(i * left_end / last), round(i * right_end / last)) for i in range(n_frames)]


def pair(
    pinned: Scene,
    current: Scene,
    frames: FramePairs,
    differences: Sequence[tuple[Rows, Rows]] = (),
    edges: tuple[Any, Any] | None = None,
    *,
    same_rows: bool = False,
) -> Scene:
    """Return both scenes as one.

    The current one keeps the names of its panels, its handles and its steps.

    Parameters
    ----------
    pinned, current : Scene
        The scene of the pinned run, and the other.
    frames : sequence of (int, int)
        From :func:`paired_frames`.
    differences : sequence of (sequence of bool, sequence of bool)
        In each frame, the rows of the data that are ringed at the left, and those at the right;
        empty for none at all.
    edges : tuple of ndarray of shape (n, 2), optional
        At the end, the pairs of rows that only the left scene joins, and those that only the right
        one does.
    same_rows : bool
        Whether both show the same rows of the data.

    Examples
    --------
    >>> panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))
    >>> points = Points(x=PerFrame([[0.0], [1.0]]), y=[0.0])
    >>> scene = Scene([panel], [points], [Frame("Start."), Frame("End.")])
    >>> both = pair(still(scene, 0), scene, paired_frames(1, 2, in_step=True))
    >>> [panel.name for panel in both.panels], both.frames[1].pinned.caption
    (['pinned.data', 'data'], 'Start.')
    >>> [mark.x for mark in still(both, 1).marks]
    [[0.0], [1.0]]
    """
    lefts, rights = [i for i, _ in frames], [j for _, j in frames]

    def marks() -> list[Mark]:
        rings = [PerFrame(rows) for rows in zip(*differences, strict=True)]
        joins = [_at_the_end(each, len(frames)) for each in edges or ()]
        sides = (_at(pinned.marks, lefts), _at(current.marks, rights))
        return _combine(*sides, rings, joins, same_rows=same_rows)

    def marks_of(frame: int) -> list[Mark]:
        i, j = frames[frame]
        rings = list(differences[frame]) if differences else []
        is_end = frame == len(frames) - 1
        joins = [each if is_end else each[:0] for each in edges or ()]
        sides = (still(pinned, i).marks, still(current, j).marks)
        return _combine(*sides, rings, joins, same_rows=same_rows)

    panels = [_on_one_scale(panel, current.panels) for panel in pinned.panels]
    legend = [*current.legend, *(key for key in pinned.legend if key not in current.legend)]
    return Scene(
        [
            *(replace(panel, name=PINNED + panel.name) for panel in panels),
            *(_on_one_scale(panel, pinned.panels) for panel in current.panels),
        ],
        Film(marks, marks_of),
        Deferred(lambda i, j: _frame(pinned.frames[i], current.frames[j]), lefts, rights),
        tuple(dict.fromkeys((*current.notes, *pinned.notes))),
        current.handles,
        [*legend, *([DIFFERS] if differences else []), *([JOINS] if edges else [])],
        [current.steps[j] for j in rights] if current.steps else (),
    )


def _on_one_scale(panel: Panel, panels: Sequence[Panel]) -> Panel:
    """Return a panel with axes that hold those of its counterpart too, where they measure alike."""
    twin = next((each for each in panels if each.name == panel.name), panel)
    return replace(panel, x=_common(panel.x, twin.x), y=_common(panel.y, twin.y))


def _common(axis: Axis, twin: Axis) -> Axis:
    if axis.label != twin.label or axis.ticks or twin.ticks:
        return axis
    low, high = min(axis.low, twin.low), max(axis.high, twin.high)
    narrow = min(axis.high - axis.low, twin.high - twin.low)
    return axis if high - low > FLAT * narrow else replace(axis, low=low, high=high)


def _at(marks: Sequence[Mark], frames: Sequence[int]) -> list[Mark]:
    """Return marks as they are in these frames, one after the other."""

    def channels(mark: Mark) -> dict[str, Any]:
        return {
            name: PerFrame([value.rows[i] for i in frames])
            for name, value in vars(mark).items()
            if isinstance(value, PerFrame)
        }

    return [replace(mark, **channels(mark)) for mark in marks]


def _at_the_end(edges: Any, n_frames: int) -> PerFrame:
    return PerFrame([edges[:0]] * (n_frames - 1) + [edges])


def _combine(
    pinned: Sequence[Mark],
    current: Sequence[Mark],
    rings: Sequence[Any],
    joins: Sequence[Any],
    *,
    same_rows: bool,
) -> list[Mark]:
    """Return the marks of both scenes, with rings and edges where they differ."""
    sides = [list(pinned), list(current)]
    if joins:
        sides = [_joined(marks, each) for marks, each in zip(sides, joins, strict=True)]
    if rings:
        sides = [_ringed(marks, rows) for marks, rows in zip(sides, rings, strict=True)]
    lefts = [replace(mark, panel=PINNED + mark.panel) for mark in sides[0]]
    if not same_rows:  # to select a row selects it in both
        lefts = [replace(m, data=False) if isinstance(m, Points) else m for m in lefts]
    return [*lefts, *sides[1]]


def _joined(marks: Sequence[Mark], edges: Any) -> list[Mark]:
    """Return marks with the edges that only this scene has, under the rows."""
    data = data_mark(marks)
    if data is None or isinstance(data.x, PerFrame) or isinstance(data.y, PerFrame):
        return list(marks)
    x, y = np.asarray(data.x), np.asarray(data.y)

    def ends(values: Any, side: int) -> Channel:
        if isinstance(edges, PerFrame):
            return PerFrame([values[np.asarray(row)[:, side]] for row in edges.rows])
        end: Channel = values[edges[:, side]]
        return end

    segments = Segments(
        panel=data.panel,
        x0=ends(x, 0),
        y0=ends(y, 0),
        x1=ends(x, 1),
        y1=ends(y, 1),
        color=[JOINS.color],
        width=2.5,
        tween=False,
        of="",
    )
    return _below(marks, data, segments)


def _below(marks: Sequence[Mark], data: Mark, mark: Mark) -> list[Mark]:
    """Return marks with another one just below the rows of the data."""
    place = next(i for i, each in enumerate(marks) if each is data)
    return [*marks[:place], mark, *marks[place:]]


def _ringed(marks: Sequence[Mark], rings: Any) -> list[Mark]:
    """Return marks with rings round the rows of the data that differ, under the rows."""
    data = data_mark(marks)
    if data is None:
        return list(marks)
    ring = Points(
        panel=data.panel,
        x=data.x,
        y=data.y,
        size=[RING],
        opacity=rings,
        symbol=[DIAMOND],
        hollow=[1],
        of="",
    )
    return _below(marks, data, ring)


def data_mark(marks: Sequence[Mark]) -> Points | None:
    """Return the mark of the rows of the data; None where a scene has none."""
    return next((mark for mark in marks if isinstance(mark, Points) and mark.data), None)


def _frame(pinned: Frame, current: Frame) -> Frame:
    """Return a frame that has another beside it, and the arithmetic of both."""
    ledger = [*current.ledger, LEDGER, *pinned.ledger] if pinned.ledger else current.ledger
    return replace(current, ledger=ledger, pinned=pinned)
