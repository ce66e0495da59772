"""The step of a pair of multipliers in the box constraint."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.svm.svm_step import SVCStep
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.places import NOWHERE, line_through, points_at, segments_between
from dmlib.pictures.scene import Axis, Panel

NAME = "box"
MAX_LENGTH = 3.0  # of the longer side of the box: what is farther away need not be drawn


def box_panel(largest: float) -> Panel:
    """Return the panel of the two multipliers, wide enough for the largest one."""
    ends = (-0.1 * largest, 1.12 * largest)
    return Panel(
        NAME,
        Axis("α of i", *ends),
        Axis("α of j", *ends),
        title="SMO step in the box constraint",
        side=True,
    )


def box_marks(pair: SVCStep | None, bound: float, largest: float) -> list[Mark]:
    """Return the box, the line of the constraint, and the pair's start, end and unclipped target.

    Parameters
    ----------
    pair : SVCStep or None
        The step of the last pair so far.
    bound : float
        The side of the box, before there is a pair.
    largest : float
        The largest multiplier that is drawn.
    """
    far = MAX_LENGTH * largest  # what is farther is cut off outside of the panel
    bounds = (bound, bound)
    if pair is not None and pair.move is not None:
        bounds = tuple(pair.bound[[pair.move.i, pair.move.j]])
    right, top = (min(each, far) for each in bounds)
    rectangle = np.array([[0, 0], [right, 0], [right, top], [0, top], [0, 0]])
    line, start, end, target = _places(pair, far)
    return [
        line_through(rectangle, panel=NAME, color="muted", width=1.5),
        line_through(line, panel=NAME, width=1.5),
        segments_between(start, target, panel=NAME, width=1.0),
        segments_between(start, end, panel=NAME, width=2.5, color=[0], arrow=True),
        points_at(start, panel=NAME, color=[NO_CLASS], symbol=[0], hollow=[1]),
        points_at(end, panel=NAME, color=[0], symbol=[0]),
    ]


def _places(pair: SVCStep | None, far: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the line of a pair, its start, its end, and the maximum of the objective on it."""
    if pair is None or pair.move is None:
        return NOWHERE, NOWHERE, NOWHERE, NOWHERE
    i, j = pair.move.i, pair.move.j
    start = np.abs(pair.move.before)  # multipliers without their signs
    # Along the line both increase alike or, of rows of one class, the first decreases.
    direction = np.array([-1.0 if pair.sign[i] == pair.sign[j] else 1.0, 1.0])
    box = np.array(pair.box)[:, None] - start[1]
    line = start + np.clip(box, -far, far) * direction
    target = start + np.clip(-pair.sign[j] * pair.move.unclipped, -far, far) * direction
    return line, start[None], pair.alpha[None, [i, j]], target[None]
