"""What both pictures of a network share: the plane with what the network says there, and its units and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.mlp.algorithm import MLPClassifier, both
from dmlib.neural.mlp.diagram_scene import GRID, Diagram, boxes, diagram_of, edge_marks, names, unit_maps
from dmlib.neural.mlp.network import MLPStep
from dmlib.pictures.data.heights import heights_panel, heights_points
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster
from dmlib.pictures.motion import thin
from dmlib.pictures.plane import pixel_rows
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    coarse_surfaces,
    held_note,
    region_panel,
    shade_of,
    surest,
)
from dmlib.pictures.scene import Key, Panel, bounds
from dmlib.problem import Problem

MOST_FRAMES, FEWEST_FRAMES = 60, 12
MAPS = 900  # maps of units in all frames together
COARSE = 3 * GRID  # pixels along each side of the regions of an epoch
SPREAD = 2.0  # standard deviations of a number that is learned, to the full colour
WATCHED = 8.0  # radius of the ring around a validation row


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # the estimator, not fitted
    steps: Sequence[MLPStep]
    narrow: bool = False  # whether numbers stand between the layers

    @cached_property
    def at(self) -> NDArray[np.intp]:
        """The numbers of the steps that are drawn."""
        n_units = sum(map(len, self.diagram.drawn))
        return thin(len(self.steps), int(np.clip(MAPS // n_units, FEWEST_FRAMES, MOST_FRAMES)))

    @cached_property
    def diagram(self) -> Diagram:
        """Where units are drawn, by the last weights."""
        return diagram_of(self.steps[-1].coefs, narrow=self.narrow)

    @property
    def classifies(self) -> bool:
        """Whether classes are predicted."""
        return isinstance(self.model, MLPClassifier)

    @cached_property
    def panel(self) -> Panel:
        """The panel of the plane."""
        return heights_panel(self.problem) if self.problem.numeric_target else region_panel(self.problem)

    @property
    def signs(self) -> tuple[int, int]:
        """The classes whose colours negative and positive numbers have: none of those in the data, while there are."""
        n = len(self.problem.classes)
        return (n, n + 1) if 2 < n <= 6 else (0, 1)

    @property
    def outputs(self) -> list[str]:
        """The names of the output units."""
        classes = self.problem.classes
        if not self.classifies:
            return [self.problem.target or "y"]
        codes = np.unique(np.asarray(self.problem.training.y, int))
        return [classes[code] for code in (codes[1:] if len(codes) == 2 else codes)]

    @cached_property
    def places(self) -> Floats:
        """The middles of the pixels of an image of the plane, row by row from the top left; in the feature space."""
        return pixel_rows(self.problem, self.panel, COARSE)

    @cached_property
    def y(self) -> Floats:
        """The targets of the training rows, as numbers."""
        return np.asarray(self.problem.training.y, float)

    @cached_property
    def rows(self) -> Floats:
        """The training rows, shape (n_samples, n_features)."""
        return np.asarray(self.problem.training.X, float)

    @cached_property
    def frames(self) -> Deferred[list[Floats]]:
        """What each layer says at each place, in each frame."""
        return Deferred(
            lambda i: self.model.outputs(self.places, self.steps[i].coefs, self.steps[i].intercepts), self.at.tolist()
        )

    @cached_property
    def maps(self) -> Deferred[list[Floats]]:
        """What each unit draws: for each layer, the input first, numbers from -1 to 1."""
        return Deferred(self.maps_of, self.frames)

    def maps_of(self, layers: list[Floats]) -> list[Floats]:
        """Return the maps of all layers from what they say at all places."""
        few = np.arange(COARSE**2).reshape(COARSE, COARSE)[1::3, 1::3].ravel()
        places = self.places[few]
        middle = (places.max(axis=0) + places.min(axis=0)) / 2
        half = np.maximum(np.abs(places - middle).max(axis=0), np.finfo(float).tiny)
        inner = [_signed(layer[few], self.model.activation) for layer in layers[:-1]]
        return [(places - middle) / half, *inner, self._said(layers[-1][few])]

    def _said(self, output: Floats) -> Floats:
        """Return the map of the output units."""
        if not self.classifies:
            spread: float = SPREAD * (float(self.y.std()) or 1.0)
            return np.asarray((output - self.y.mean()) / spread)
        if self.model.loss == "hinge":
            return np.clip(output, -1, 1)
        return output if output.shape[1] > 1 else 2 * output - 1

    @property
    def colors(self) -> list[Any]:
        """The classes whose colours the maps of each layer have."""
        codes = np.unique(np.asarray(self.problem.training.y, int)).tolist() if self.classifies else []
        last: Any = codes if len(codes) > 2 and self.model.loss != "hinge" else tuple(codes) or self.signs
        if len(codes) > 2 and self.model.loss == "hinge":
            last = self.signs
        return [*[self.signs] * (len(self.diagram.sizes) - 1), last]


def _signed(values: Floats, activation: str) -> Floats:
    """Return activations as numbers from -1 to 1, whose sign and strength are drawn."""
    if activation == "sigmoid":
        return 2 * values - 1
    if activation == "tanh":
        return values
    top = np.abs(values).max(axis=0)
    return values / np.where(top > 0, top, 1.0)


def network_marks(picture: Picture, weights: Sequence[Any], maps: Deferred[Any]) -> list[Mark]:
    """Return the network in each frame: weights, maps of units, names."""
    diagram = picture.diagram
    return [
        edge_marks(diagram, weights, picture.signs),
        *unit_maps(diagram, maps, picture.colors),
        *boxes(diagram),
        *names(diagram, picture.problem.features, picture.outputs),
    ]


def legend(picture: Picture) -> tuple[Key, ...]:
    """Return the classes, and the colours of signs."""
    low, high = picture.signs
    problem = picture.problem
    held = () if problem.test is None else (Key("held out", hollow=True),)
    keys = class_legend(problem) if problem.classes else held
    watched = len(picture.steps[0].watched)
    ring = (Key("ring: validation row", symbol=0, hollow=True),) if watched else ()
    return (*keys, Key("weight or unit below 0", low, 0), Key("above 0", high, 0), *ring)


def picture_notes(picture: Picture) -> tuple[str, ...]:
    """Return the sentences on what is not drawn."""
    watched = picture.steps[0].watched
    curve = ("Loss: blue of the training rows, dashed of the validation rows.",) if len(watched) else ()
    return (*held_note(picture.problem), *picture.diagram.note, *curve)


# --- the plane --------------------------------------------------------------------------------------------------------


def plane_marks(picture: Picture, surface: Raster | None) -> list[Mark]:
    """Return the plane in each frame: the points, and what the network says; ``surface`` is the image of the end."""
    problem = picture.problem
    points = heights_points(problem) if problem.numeric_target else class_points(problem)
    rings = _watched(picture)
    if picture.classifies:
        return [*_regions(picture, surface), *rings, points]
    if problem.upright:
        return [_curve(picture), *rings, points]
    return [_surface(picture), *rings, points]


def _watched(picture: Picture) -> list[Mark]:
    watched = picture.steps[0].watched
    if not len(watched):
        return []
    x, y = picture.problem.points[picture.problem.trained[watched]].T
    return [Points(x=x, y=y, size=[WATCHED], hollow=[1], symbol=[0], color=[NO_CLASS], of="")]


def winners(picture: Picture, layers: list[Floats]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the class of each place and how sure the network is."""
    codes = np.unique(np.asarray(picture.problem.training.y, int))
    winner, sure = surest(both(layers[-1], picture.model.loss))
    return codes[winner].astype(np.uint8), shade_of(sure) // 16 * 16


def _regions(picture: Picture, surface: Raster | None) -> list[Raster]:
    found = Deferred(lambda layers: winners(picture, layers), picture.frames)
    winner, shade = (Deferred(lambda pair, k=k: pair[k], found) for k in (0, 1))
    return coarse_surfaces(winner, shade, COARSE, surface, picture.panel)


def _curve(picture: Picture) -> Line:
    """Return the curve of a network over one column."""
    x = picture.panel.x.low + (picture.panel.x.high - picture.panel.x.low) * np.linspace(0, 1, 3 * COARSE)
    places = picture.problem.plane.lift(np.column_stack([x, np.zeros_like(x)]))

    def heights(i: int) -> Floats:
        step = picture.steps[i]
        numbers: Floats = picture.model.outputs(places, step.coefs, step.intercepts)[-1][:, 0]
        return numbers

    return Line(x=x, y=PerFrame(Deferred(heights, picture.at.tolist())), color="accent", width=3.0, tween=True)


def _surface(picture: Picture) -> Raster:
    """Return the numbers that a network predicts over two columns: the stronger the higher."""
    low, high = bounds(picture.y, 0.0)

    def pixels(layers: list[Floats]) -> NDArray[np.uint8]:
        share = np.clip((layers[-1][:, 0] - low) / (high - low), 0, 1)
        return (np.round(share * 16) * 15).astype(np.uint8)

    return Raster(
        pixels=PerFrame(Deferred(pixels, picture.frames)), width=COARSE, height=COARSE, extent=picture.panel.extent,
        ramp=True, opacity=0.6,
    )  # fmt: skip
