"""Paths of walkers in a panel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.race import DescentStep
from dmlib.neural.gradient_descent.walkers import Walkers
from dmlib.pictures.marks import Line, Mark
from dmlib.pictures.places import line_through, points_at

MAX_CORNERS = 5000  # of all paths together


class Paths:
    """The path of each walker up to a step, and its place.

    Parameters
    ----------
    walkers : Walkers
        The walkers.
    places : ndarray of shape (n_walkers, n_steps, 2)
        The place of each in the panel after each step.
    panel : str
        The panel.
    """

    def __init__(self, walkers: Walkers, places: Floats, panel: str) -> None:
        self.walkers, self.places, self.panel = walkers, places, panel
        n_walkers, n_steps, _ = places.shape
        n_corners = min(n_steps, max(MAX_CORNERS // n_walkers, 2))
        self._corners = np.linspace(0, n_steps - 1, n_corners).astype(np.intp)

    def marks(self, index: int, step: DescentStep) -> list[Mark]:
        """Return a line for each optimiser, and the walkers: hollow those that have failed."""
        colors = self.walkers.colors
        has_failed = [status not in ("moving", "rest") for status in step.status]
        points = points_at(
            self.places[:, index],
            panel=self.panel,
            color=colors,
            hollow=np.array(has_failed, np.uint8),
            size=[6.5],
            emphasis=True,
            labels=self.walkers.titles,
            numbers=np.arange(1, len(colors) + 1),
            of="#",
        )
        return [*(self._line(index, code) for code in dict.fromkeys(colors.tolist())), points]

    def _line(self, index: int, code: int) -> Line:
        """Return the paths of the walkers of one colour, with a gap after each."""
        corners = self._until(self.places[self.walkers.colors == code], index)
        return line_through(with_gaps(corners), panel=self.panel, color=code, width=2.5)

    def _until(self, places: Floats, index: int) -> Floats:
        """Return the corners up to a step and its place; later ones are NaN, as in other frames."""
        n_passed = int(np.searchsorted(self._corners, index, side="right"))
        corners = places[:, self._corners]
        corners[:, n_passed:] = np.nan
        if self._corners[n_passed - 1] < index:
            corners[:, n_passed] = places[:, index]
        return corners


def with_gaps(paths: Floats) -> NDArray[np.float64]:
    """Return paths, shape (n, n_corners, 2), with NaN after each."""
    return np.pad(paths, ((0, 0), (0, 1), (0, 0)), constant_values=np.nan)
