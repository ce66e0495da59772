"""The votes of binary problems over the plane: image, boundaries, and stripes of contradictions."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import zoom

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.multiclass.binary_step import BinaryStep, Mask, agreeing, contradictory
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.pictures.contours import contours
from dmlib.pictures.marks import NO_CLASS, Line, Raster
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.regions import FAINT
from dmlib.pictures.scene import Panel
from dmlib.problem import Problem

COARSE = 72  # pixels along each side of the image of a step
FINER = 4  # pixels of the hatching along one of these
MAX_HATCHED = 50  # problems up to which the hatching is finer
STRIPE = 2  # width of a stripe
PERIOD = 10  # from one stripe to the next
CLAIMED = 190  # shade of a pixel with a single class of most votes


class VotePlane:
    """The values and votes of binary problems over the plane.

    Parameters
    ----------
    problem : Problem
        The data.
    model : BinaryReduction
        Fitted to the training rows.
    panel : Panel
        The panel of the plane.
    """

    def __init__(self, problem: Problem, model: BinaryReduction, panel: Panel) -> None:
        self.problem = problem
        self.model = model
        self.panel = panel
        self.codes: Bytes = np.asarray(model.classes_, np.uint8)
        middles = (np.arange(-1, COARSE + 1) + 0.5) / COARSE  # and one beyond each edge
        self.x = panel.x.low + middles * (panel.x.high - panel.x.low)
        self.y = panel.y.high + middles * (panel.y.low - panel.y.high)

    @cached_property
    def values(self) -> Floats:
        """The value of every problem in each pixel, from the top left, and one beyond each edge."""
        places = self.problem.plane.lift_grid(self.x, self.y)
        values: Floats = self.model.answers(self.problem.table(places))[0]
        return values.reshape(len(self.y), len(self.x), -1)

    @cached_property
    def _positive(self) -> Mask:
        """The prediction of every problem in each pixel, shape (COARSE², n_problems)."""
        positive: Mask = self.values[1:-1, 1:-1] > self.model.even
        return positive.reshape(COARSE * COARSE, -1)

    def image(self, step: BinaryStep) -> tuple[Bytes, Bytes]:
        """Return the class with most votes of the problems so far in each pixel, and its shade."""
        n = step.number
        votes = agreeing(step.signs[:, :n], self._positive[:, :n])
        is_tied = contradictory(votes)
        colors = np.where(is_tied, NO_CLASS, self.codes[votes.argmax(axis=1)])
        return colors.astype(np.uint8), np.where(is_tied, FAINT, CLAIMED).astype(np.uint8)

    def boundary(self, step: BinaryStep) -> Line:
        """Return the boundary of the problem of a step."""
        places = NOWHERE
        if step.phase == "train":
            values = self.values[::-1, :, step.number - 1]
            places = contours(values, self.x, self.y[::-1], self.model.even)
        return line_through(places, width=2.5)

    def hatching(self, finer: int) -> Raster:
        """Return stripes where the votes of all problems contradict, finer than the image."""
        n_problems = self.model.signs.shape[1]
        finer = finer if n_problems <= MAX_HATCHED else 1
        size = finer * COARSE
        stripes = np.add.outer(np.arange(size), np.arange(size)).ravel() % PERIOD < STRIPE
        shade = np.where(contradictory(self._votes(finer)) & stripes, 255, 0)
        return Raster(
            pixels=np.full(size * size, NO_CLASS, np.uint8),
            shade=shade.astype(np.uint8),
            width=size,
            height=size,
            extent=self.panel.extent,
            opacity=0.2,
        )

    def _votes(self, finer: int) -> Ints:
        """Return the votes of all problems in each pixel of a finer image."""
        signs = self.model.signs
        size = finer * COARSE
        votes = np.zeros((size * size, len(signs)), np.intp)
        for i in range(signs.shape[1]):
            values = self.values[1:-1, 1:-1, i]
            if finer > 1:
                values = zoom(values, finer, order=1, grid_mode=True, mode="nearest")
            votes += agreeing(signs[:, [i]], (values > self.model.even).reshape(-1, 1))
        return votes
