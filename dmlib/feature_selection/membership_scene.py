"""A search among many columns: a line for each, filled while the column is in the set."""

from __future__ import annotations

import numpy as np

from dmlib.feature_selection.bars_scene import names_on_axis
from dmlib.feature_selection.search import SearchStep
from dmlib.feature_selection.walk import Walk
from dmlib.pictures.marks import Mark, Points, Rects
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment

CHOSEN, SCORED = 0, 1  # colours


class MembershipPlot:
    """The columns of a search, step by step.

    Parameters
    ----------
    walk : Walk
        The run.
    """

    fold = None

    def __init__(self, walk: Walk) -> None:
        self.p, n_steps = len(walk.features), len(walk.steps)
        x = Axis("step", -0.5, n_steps - 0.5, integer=True)
        y = Axis("column", -0.6, self.p - 0.4, ticks=names_on_axis(walk.features))
        self.panel = Panel("data", x, y)
        member = np.zeros((self.p, n_steps + 2), int)
        for i, step in enumerate(walk.steps, start=1):
            member[list(step.subset), i] = 1
        change = np.diff(member, axis=1)
        self.columns, self.start = np.nonzero(change == 1)
        _, self.end = np.nonzero(change == -1)

    def marks(self, moment: Moment) -> tuple[Mark, ...]:
        """Return the spans up to a moment, and the columns that it adds or removes."""
        step: SearchStep = moment.step
        y, edge = self.p - 1 - self.columns, moment.index + 0.5
        bars = Rects(
            x0=np.minimum(self.start - 0.5, edge),
            x1=np.minimum(self.end - 0.5, edge),
            y0=y - 0.4,
            y1=y + 0.4,
            color=[CHOSEN],
            opacity=[0.75],
            numbers=self.columns + 1,
            of="column",
        )
        moved = [float(self.p - 1 - j) for j in step.moved]
        x = np.full(len(moved), moment.index)
        return bars, Points(x=x, y=moved, color=[SCORED], symbol=[0], size=[6.0], of="")
