"""Frames of a scene: which steps of a run have one, all of them computed, or a single one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.deferred import Deferred, Film
from dmlib.pictures.marks import Mark, PerFrame
from dmlib.pictures.scene import Scene

MAX_FRAMES = 200


def thin(n_steps: int, max_frames: int = MAX_FRAMES) -> NDArray[np.intp]:
    """Return the steps of a run that have a frame: all, or of a long one every few and the last.

    Examples
    --------
    >>> thin(4).tolist(), thin(10, 4).tolist()
    ([0, 1, 2, 3], [0, 3, 6, 9])
    """
    if not n_steps:
        return np.empty(0, np.intp)
    stride = max(1, -(-(n_steps - 1) // max(max_frames - 1, 1)))
    return np.unique(np.append(np.arange(0, n_steps, stride), n_steps - 1))


def thinned_note(numbers: Sequence[int] | NDArray[np.intp]) -> tuple[str, ...]:
    """Return the sentence that says that not every step is shown.

    Examples
    --------
    >>> thinned_note(thin(4)), thinned_note(thin(10, 4))
    ((), ('Long run: every 3rd step is shown.',))
    """
    stride = int(numbers[1] - numbers[0]) if len(numbers) > 2 else 1
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


def computed(scene: Scene) -> Scene:
    """Return a scene after all of its frames are made, which costs its time here and not later."""
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
    """Return a scene of one frame, which costs what a single picture costs.

    Examples
    --------
    >>> from dmlib.pictures.marks import Points
    >>> from dmlib.pictures.scene import Frame
    >>> points = Points(x=PerFrame([[0.0], [5.0]]), y=[1.0])
    >>> end = still(Scene((), (points,), (Frame("Start."), Frame("End."))), 1)
    >>> end.frames[0].caption, end.marks[0].x, end.marks[0].y
    ('End.', [5.0], [1.0])
    """
    film = scene.marks
    marks = film.frame(frame) if isinstance(film, Film) else [_in_frame(m, frame) for m in film]
    return replace(scene, marks=marks, frames=[scene.frames[frame]])


def _in_frame(mark: Mark, frame: int) -> Mark:
    """Return a mark with the channels that it has in a frame."""
    channels: dict[str, Any] = {
        name: value.rows[frame] for name, value in vars(mark).items() if isinstance(value, PerFrame)
    }
    return replace(mark, **channels)
