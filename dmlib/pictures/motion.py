"""What scenes say of time: which steps are shown, what is there from one step to another, and what belongs to one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.pictures.deferred import Deferred, Film
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Segments
from dmlib.pictures.scene import Scene

MOST_FRAMES = 200

Places = NDArray[np.float64] | None
Step = TypeVar("Step")


def thin(n_steps: int, most: int = MOST_FRAMES) -> NDArray[np.intp]:
    """Return the steps that are shown of a run: all, or of a long one every few and the last.

    Examples
    --------
    >>> thin(4).tolist(), thin(10, 4).tolist()
    ([0, 1, 2, 3], [0, 3, 6, 9])
    """
    if not n_steps:
        return np.empty(0, np.intp)
    stride = max(1, -(-(n_steps - 1) // max(most - 1, 1)))
    return np.unique(np.append(np.arange(0, n_steps, stride), n_steps - 1))


def thinned_note(shown: Sequence[int] | NDArray[np.intp]) -> tuple[str, ...]:
    """Return the sentence that says that not every step is shown.

    Examples
    --------
    >>> thinned_note(thin(4)), thinned_note(thin(10, 4))
    ((), ('Long run: every 3rd step is shown.',))
    """
    stride = int(shown[1] - shown[0]) if len(shown) > 2 else 1
    return (f"Long run: every {nth(stride)} step is shown.",) if stride > 1 else ()


def nth(n: int) -> str:
    """Return an ordinal number.

    Examples
    --------
    >>> [nth(n) for n in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th") if n % 100 not in (11, 12, 13) else "th"
    return f"{n}{ending}"


def during(
    values: ArrayLike,
    first: ArrayLike,
    last: ArrayLike,
    frames: int | ArrayLike,
    otherwise: float = np.nan,
) -> PerFrame:
    """Return values that come and go: value i is there from step ``first[i]`` to ``last[i]``.

    Parameters
    ----------
    values : array-like of shape (n,)
        What they are while they are there.
    first, last : array-like of shape (n,)
        The first and the last step of each; one number for all.
    frames : int or array-like
        The number of frames or, where not every step has one, the step of each frame.
    otherwise : float
        What takes their place: by default nothing is drawn.

    Examples
    --------
    >>> [row.tolist() for row in during([5.0, 7.0], [0, 1], [1, 2], 3).rows]
    [[5.0, nan], [5.0, 7.0], [nan, 7.0]]
    """
    steps = (np.arange(frames) if isinstance(frames, int) else np.asarray(frames))[:, None]
    there = (np.asarray(first) <= steps) & (steps <= np.asarray(last))
    return per_frame(np.where(there, np.asarray(values, float), otherwise))


def at_last(value: Any, frames: int) -> PerFrame:
    """Return a channel that is empty in all frames but the last.

    Examples
    --------
    >>> [np.asarray(row).tolist() for row in at_last([1.0, 2.0], 3).rows]
    [[], [], [1.0, 2.0]]
    """
    last = np.asarray(value)
    return PerFrame([np.empty(0, last.dtype)] * (frames - 1) + [last])


def per_frame(values: NDArray[Any]) -> PerFrame:
    """Return the rows of an array as a channel, in which a row that is as the one before is the same object.

    Examples
    --------
    >>> rows = per_frame(np.array([[1, 2], [1, 2], [1, 3]])).rows
    >>> rows[0] is rows[1], rows[2].tolist()
    (True, [1, 3])
    """
    rows = list(values[:1])
    same = (values[1:] == values[:-1]) | ((values[1:] != values[1:]) & (values[:-1] != values[:-1]))
    for i, alike in enumerate(same.all(axis=1), start=1):
        rows.append(rows[-1] if alike else values[i])
    return PerFrame(rows)


def xy(places: Iterable[Places]) -> tuple[PerFrame, PerFrame]:
    """Return both coordinates of the places of each frame, shape (m, 2); None where there are none.

    Examples
    --------
    >>> x, y = xy([None, np.array([[1.0, 2.0]])])
    >>> [row.tolist() for row in y.rows]
    [[], [2.0]]
    """
    if isinstance(places, Deferred):
        return PerFrame(Deferred(lambda each: _pairs(each)[:, 0], places)), PerFrame(
            Deferred(lambda each: _pairs(each)[:, 1], places)
        )
    some = [_pairs(each) for each in places]
    return PerFrame([each[:, 0] for each in some]), PerFrame([each[:, 1] for each in some])


def _pairs(places: Places) -> NDArray[np.float64]:
    return np.empty((0, 2)) if places is None else np.asarray(places, float).reshape(-1, 2)


def with_before(
    steps: Sequence[Step], shown: Iterable[int] | None = None
) -> list[tuple[Step, Step]]:
    """Return the steps that are shown, all by default, each with the one before it in the run; the first with itself.

    Examples
    --------
    >>> with_before("abc"), with_before("abc", [0, 2])
    ([('a', 'a'), ('b', 'a'), ('c', 'b')], [('a', 'a'), ('c', 'b')])
    """
    return [
        (steps[i], steps[max(i - 1, 0)]) for i in (range(len(steps)) if shown is None else shown)
    ]


def moves(
    starts: Iterable[Places], ends: Iterable[Places], *, arrow: bool = True, **more: Any
) -> Segments:
    """Return the segments that belong to each frame, from places to places; None where there are none."""
    (x0, y0), (x1, y1) = xy(starts), xy(ends)
    return Segments(x0=x0, y0=y0, x1=x1, y1=y1, arrow=arrow, **more)


def path(points: ArrayLike, reached: Iterable[int], **more: Any) -> tuple[Line, Points]:
    """Return a path that grows to so many of its points in each frame, and the mark at its end.

    Examples
    --------
    >>> line, end = path([[0.0, 5.0], [1.0, 3.0]], [0, 1, 2])
    >>> [row.tolist() for row in line.y.rows], [row.tolist() for row in end.y.rows]
    ([[], [5.0], [5.0, 3.0]], [[], [5.0], [3.0]])
    """
    places, counts = np.asarray(points, float).reshape(-1, 2), list(reached)
    x, y = xy(places[:n] for n in counts)
    end_x, end_y = xy(places[max(n - 1, 0) : n] for n in counts)
    return Line(x=x, y=y, color="accent", **more), Points(
        x=end_x, y=end_y, color=[0], of="", **more
    )


def displacements(
    places: Sequence[NDArray[np.float64]], moved: Iterable[bool], **more: Any
) -> Segments:
    """Return arrows, in the frames in which points have moved, from where they were in the frame before.

    Examples
    --------
    >>> mark = displacements([np.zeros((1, 2)), np.ones((1, 2))], [False, True])
    >>> [row.tolist() for row in mark.x0.rows], [row.tolist() for row in mark.x1.rows]
    ([[], [0.0]], [[], [1.0]])
    """
    ways = [
        (old, new) if has_moved and len(old) else (None, None)
        for old, new, has_moved in zip([places[0], *places[:-1]], places, moved, strict=True)
    ]
    return moves([old for old, _ in ways], [new for _, new in ways], **more)


def when(there: Iterable[bool], values: Any) -> PerFrame:
    """Return values that are there in some frames; in the others nothing is drawn.

    Examples
    --------
    >>> [row.tolist() for row in when([False, True], [5.0, 7.0]).rows]
    [[], [5.0, 7.0]]
    """
    array = np.asarray(values)
    return PerFrame([array if now else array[:0] for now in there])


def whole(scene: Scene) -> Scene:
    """Return a scene whose frames are all made: what is deferred costs its time here, and not while it is packed."""
    channels = [
        value.rows
        for mark in scene.marks
        for value in vars(mark).values()
        if isinstance(value, PerFrame)
    ]
    for parts in (scene.frames, *channels):
        if isinstance(parts, Deferred):
            list(parts)
    return scene


def still(scene: Scene, frame: int) -> Scene:
    """Return a scene of one frame: what it costs to pack and to send is then what a single picture costs.

    Examples
    --------
    >>> from dmlib.pictures.scene import Frame
    >>> one = still(Scene((), (Points(x=PerFrame([[0.0], [5.0]]), y=[1.0]),), (Frame("Start."), Frame("End."))), 1)
    >>> one.frames[0].caption, one.marks[0].x, one.marks[0].y
    ('End.', [5.0], [1.0])
    """

    def one(mark: Mark) -> Mark:
        rows: dict[str, Any] = {
            name: value.rows[frame]
            for name, value in vars(mark).items()
            if isinstance(value, PerFrame)
        }
        return replace(mark, **rows)

    film = scene.marks
    marks = film.alone(frame) if isinstance(film, Film) else [one(mark) for mark in film]
    return replace(scene, marks=marks, frames=[scene.frames[frame]])
