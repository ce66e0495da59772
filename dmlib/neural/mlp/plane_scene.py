"""The plane of a network: the data, and its predictions as regions, as a curve or as a surface."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.mlp.algorithm import MLPClassifier, class_scores
from dmlib.neural.mlp.cascade import CascadeStep
from dmlib.neural.mlp.diagram_scene import GRID
from dmlib.neural.mlp.network import MLPStep, Network
from dmlib.neural.mlp.pruned import PruningStep
from dmlib.pictures.data.heights import heights_panel, heights_points
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster
from dmlib.pictures.plane import pixel_rows
from dmlib.pictures.regions import class_points, region_panel, shade_of, step_surfaces, surest
from dmlib.pictures.scene import bounds
from dmlib.problem import Problem

COARSE = 3 * GRID  # pixels along each side of the regions of an epoch
RING = 8.0  # radius in pixels of the ring around a validation row


class NetworkPlane:
    """The plane of the data with the predictions of a network.

    Parameters
    ----------
    problem : Problem
        The data.
    model : Network
        The network, not fitted.
    validation_rows : ndarray of int
        The training rows that early stopping sets aside.
    """

    def __init__(self, problem: Problem, model: Network, validation_rows: NDArray[np.intp]) -> None:
        self.problem, self.model = problem, model
        is_numeric = problem.numeric_target
        self.panel = heights_panel(problem) if is_numeric else region_panel(problem)
        points = heights_points(problem) if is_numeric else class_points(problem)
        self._data = [*_rings(problem, validation_rows), points]
        self.pixels = pixel_rows(problem, self.panel, COARSE)
        self._x = self.panel.x.low + self.panel.size[0] * np.linspace(0, 1, 3 * COARSE)
        self._heights = bounds(np.asarray(problem.training.y, float), 0.0)

    def layers(self, step: MLPStep | PruningStep | CascadeStep) -> list[Floats]:
        """Return the activations of each layer at each pixel, from the top left, row by row."""
        return self.model.outputs(self.pixels, step.coefs, step.intercepts)

    def marks(
        self,
        step: MLPStep | PruningStep | CascadeStep,
        output: Floats,
        surface: Raster | None = None,
        is_fitted: bool = False,
    ) -> list[Mark]:
        """Return the predictions of a step, and the data.

        Parameters
        ----------
        step : MLPStep, PruningStep or CascadeStep
            The step.
        output : ndarray of shape (n_pixels, n_outputs)
            Its outputs at the pixels.
        surface : Raster or None
            The image of the fitted classifier.
        is_fitted : bool
            Whether it is shown.
        """
        if isinstance(self.model, MLPClassifier):
            image = None if is_fitted else self._regions(output, self.model.loss)
            return [*step_surfaces(image, COARSE, surface, self.panel), *self._data]
        if self.problem.upright:
            return [self._curve(step), *self._data]
        return [self._surface(output), *self._data]

    def _regions(self, output: Floats, loss: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the predicted class of each pixel, and its confidence."""
        codes = np.unique(np.asarray(self.problem.training.y, int))
        winner, sure = surest(class_scores(output, loss))
        return codes[winner].astype(np.uint8), shade_of(sure) // 16 * 16

    def _curve(self, step: MLPStep | PruningStep | CascadeStep) -> Line:
        """Return the predictions over one column."""
        rows = self.problem.plane.lift(np.column_stack([self._x, np.zeros_like(self._x)]))
        y = self.model.outputs(rows, step.coefs, step.intercepts)[-1][:, 0]
        return Line(x=self._x, y=y, color="accent", width=3.0)

    def _surface(self, output: Floats) -> Raster:
        """Return the predictions over two columns as a heat map."""
        low, high = self._heights
        shares = np.clip((output[:, 0] - low) / (high - low), 0, 1)
        return Raster(
            pixels=(np.round(shares * 16) * 15).astype(np.uint8),
            width=COARSE,
            height=COARSE,
            extent=self.panel.extent,
            ramp=True,
            opacity=0.6,
        )


def _rings(problem: Problem, validation_rows: NDArray[np.intp]) -> list[Points]:
    """Return rings around the validation rows."""
    if not len(validation_rows):
        return []
    x, y = problem.points[problem.trained[validation_rows]].T
    return [Points(x=x, y=y, size=[RING], hollow=[1], symbol=[0], color=[NO_CLASS], of="")]
