"""The units of a network with their maps of the plane, and the legend of both pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from dmlib.arrays import Floats
from dmlib.neural.mlp.diagram_scene import Diagram, boxes, diagram_of, names, unit_maps
from dmlib.neural.mlp.ledger import output_names
from dmlib.neural.mlp.plane_scene import COARSE
from dmlib.pictures.marks import Mark
from dmlib.pictures.regions import class_legend, held_note
from dmlib.pictures.scene import Key
from dmlib.problem import Problem

SPREAD = 2.0  # standard deviations of a number that is learned, to the full colour
MAP_PIXELS = np.arange(COARSE**2).reshape(COARSE, COARSE)[1::3, 1::3].ravel()


class NetworkDrawing:
    """The units of a network, each with its map of the plane.

    Parameters
    ----------
    problem : Problem
        The data.
    model : Network
        The network, not fitted.
    coefs : sequence of ndarray
        The weights; of a wide layer the units with the largest are drawn.
    narrow : bool
        Whether numbers stand between the layers.
    diagram : Diagram or None
        Where the units are, if not layer by layer.
    """

    def __init__(
        self,
        problem: Problem,
        model: Any,
        coefs: Sequence[Floats],
        *,
        narrow: bool = False,
        diagram: Diagram | None = None,
    ) -> None:
        self.problem, self.model = problem, model
        self.diagram = diagram or diagram_of(coefs, narrow=narrow)
        outputs = output_names(problem, model)
        self._labels = [*boxes(self.diagram), *names(self.diagram, problem.features, outputs)]
        self._targets = np.asarray(problem.training.y, float)

    @property
    def signs(self) -> tuple[int, int]:
        """The classes whose colours stand for signs: if possible none of the data's."""
        n = len(self.problem.classes)
        return (n, n + 1) if 2 < n <= 6 else (0, 1)

    @property
    def _colors(self) -> list[Any]:
        """The classes whose colours the maps of each layer have."""
        return [*[self.signs] * (len(self.diagram.sizes) - 1), self._output_colors]

    @property
    def _output_colors(self) -> Any:
        if not is_classifier(self.model):
            return self.signs
        codes = np.unique(np.asarray(self.problem.training.y, int)).tolist()
        if len(codes) == 2:
            return tuple(codes)
        return self.signs if self.model.loss == "hinge" else codes

    def units(self, pixels: Floats, layers: Sequence[Floats], opacity: float = 0.9) -> list[Mark]:
        """Return the units with their maps.

        Parameters
        ----------
        pixels : ndarray of shape (n_pixels, n_features)
            The pixels of the plane.
        layers : sequence of ndarray of shape (n_pixels, n_units)
            The activations of each layer there.
        opacity : float
            Of the maps.
        """
        maps = self._maps(pixels[MAP_PIXELS], [layer[MAP_PIXELS] for layer in layers])
        return [*unit_maps(self.diagram, maps, self._colors, opacity), *self._labels]

    def _maps(self, places: Floats, layers: Sequence[Floats]) -> list[Floats]:
        """Return numbers from -1 to 1 at places for each unit of each layer, the input first."""
        middle = (places.max(axis=0) + places.min(axis=0)) / 2
        half = np.maximum(np.abs(places - middle).max(axis=0), np.finfo(float).tiny)
        hidden = [_signed(layer, self.model.activation) for layer in layers[:-1]]
        return [(places - middle) / half, *hidden, self._output_map(layers[-1])]

    def _output_map(self, output: Floats) -> Floats:
        if not is_classifier(self.model):
            spread = SPREAD * (float(self._targets.std()) or 1.0)
            return np.asarray((output - self._targets.mean()) / spread)
        if self.model.loss == "hinge":
            return np.clip(output, -1, 1)
        return output if output.shape[1] > 1 else 2 * output - 1

    def legend(self, validation_rows: NDArray[np.intp]) -> tuple[Key, ...]:
        """Return the classes, and the colours of signs."""
        low, high = self.signs
        keys = class_legend(self.problem)
        below = Key("weight or unit below 0", low, kind="area")
        above = Key("above 0", high, kind="area")
        keys = (*keys, below, above)
        if len(validation_rows):
            return (*keys, Key("ring: validation row", symbol=0, hollow=True))
        return keys

    def notes(self, validation_rows: NDArray[np.intp]) -> tuple[str, ...]:
        """Return notes on samples and units that are not drawn, and on both curves."""
        notes = (*held_note(self.problem), *self.diagram.note)
        if len(validation_rows):
            return (*notes, "Loss: blue of the training rows, dashed of the validation rows.")
        return notes


def _signed(values: Floats, activation: str) -> Floats:
    """Return activations scaled to -1 to 1."""
    if activation == "sigmoid":
        return 2 * values - 1
    if activation == "tanh":
        return values
    top = np.abs(values).max(axis=0)
    return values / np.where(top > 0, top, 1.0)
