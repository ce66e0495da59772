"""The diagram of a network: a map of the plane in each unit, an edge for each weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.pictures.marks import NO_CLASS, Mark, Raster, Rects, Segments, Texts
from dmlib.pictures.places import segments_between
from dmlib.pictures.scene import Axis, Panel

Weights = Sequence[Floats]

MAX_UNITS = 10  # units of a layer
GRID = 14  # pixels along each side of a unit's map
# Half the width of a unit, in distances of layers, and half its height, in distances of units.
HALF_SIZE = np.array([0.3, 0.42])
NARROW = 0.17  # half the width where numbers stand between the layers
MIN_HEIGHT = 4  # units that the panel is high at least
ROOM = 0.25  # beside the network for long names, in distances of layers
DOWN = 9.0  # pixels from the top of a unit to its name
MIN_WIDTH, MAX_WIDTH = 0.4, 7.0  # pixels of an edge
N_SHADES = 12  # of a map: so few that most of one that hardly changed is not sent anew
MAX_LETTERS = 12  # of a name on a unit


@dataclass(frozen=True)
class Diagram:
    """Where the units of a network are drawn.

    Attributes
    ----------
    units : tuple of ndarray of int
        The units that are drawn of each layer, the input first.
    places : tuple of ndarray of shape (n_drawn, 2)
        Their middles.
    sizes : tuple of int
        How many units each layer has.
    half : ndarray of shape (2,)
        Half the width and half the height of a unit.
    """

    units: tuple[Ints, ...]
    places: tuple[Floats, ...]
    sizes: tuple[int, ...]
    half: Floats

    @cached_property
    def edges(self) -> list[tuple[int, int, int, int]]:
        """The weights that are drawn: (layer, place of the input, place of the unit, number)."""
        edges = []
        for layer, (inputs, units) in enumerate(pairwise(self.units)):
            edges += [(layer, i, j) for j in range(len(units)) for i in range(len(inputs))]
        return [(*edge, n) for n, edge in enumerate(edges, start=1)]

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """Both ends of the edges, shape (n_edges, 2) each, at the sides of their units."""
        starts = np.array([self.places[layer][i] for layer, i, _, _ in self.edges])
        ends = np.array([self.places[layer + 1][j] for layer, _, j, _ in self.edges])
        side = self.half * [1.0, 0.0]
        return starts + side, ends - side

    @property
    def note(self) -> tuple[str, ...]:
        """The sentence that says that not all units are drawn."""
        for n, units in zip(self.sizes, self.units, strict=True):
            if len(units) < n:
                m = len(units)
                return (f"Of {n} units of a layer, the {m} with the largest weights are drawn.",)
        return ()

    def numbers(self, layer: int) -> list[int | None]:
        """Return the numbers of a layer's units among those drawn, from 1; None for the others."""
        first = sum(map(len, self.units[:layer])) + 1
        numbers = {int(unit): first + k for k, unit in enumerate(self.units[layer])}
        return [numbers.get(unit) for unit in range(self.sizes[layer])]

    def values(self, layers: Sequence[Floats]) -> Floats:
        """Return the values of the drawn edges, from matrices like the weights of each layer."""
        parts = zip(layers, self.units[:-1], self.units[1:], strict=True)
        return np.concatenate([W[np.ix_(inputs, units)].T.ravel() for W, inputs, units in parts])


def diagram_of(coefs: Weights, *, narrow: bool = False) -> Diagram:
    """Return the layout of a network; of a wide layer only the units with the largest weights.

    With ``narrow`` units there is room for numbers between the layers.

    Examples
    --------
    >>> diagram = diagram_of([np.ones((2, 3)), np.ones((3, 1))])
    >>> [len(units) for units in diagram.units], len(diagram.edges)
    ([2, 3, 1], 9)
    """
    sizes = (coefs[0].shape[0], *(W.shape[1] for W in coefs))
    weight_sums = [np.abs(coefs[0]).sum(axis=1), *(np.abs(W).sum(axis=0) for W in coefs)]
    units = tuple(np.sort(np.argsort(-w, kind="stable")[:MAX_UNITS]) for w in weight_sums)
    places = tuple(_column(layer, len(numbers)) for layer, numbers in enumerate(units))
    half = np.array([NARROW, HALF_SIZE[1]]) if narrow else HALF_SIZE
    return Diagram(units, places, sizes, half)


def _column(layer: int, n_units: int) -> Floats:
    """Return the places of the units of a layer, from top to bottom."""
    y = (n_units - 1) / 2 - np.arange(n_units)
    return np.column_stack([np.full(n_units, float(layer)), y])


def diagram_panel(diagram: Diagram, title: str) -> Panel:
    """Return the panel of the network, with room for names at both sides."""
    height = max(*map(len, diagram.units), MIN_HEIGHT)
    room, last = diagram.half[0] + ROOM, len(diagram.sizes) - 1
    y_axis = Axis("", -height / 2, height / 2)
    return Panel("network", Axis("", -room, last + room), y_axis, title=title)


def boxes(diagram: Diagram) -> list[Mark]:
    """Return the outlines of all units, and invisible rectangles that are linked to the tables."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * diagram.half
    places = np.vstack(diagram.places)[:, None]
    starts, ends = places + corners[:4], places + corners[1:]
    edges = segments_between(starts, ends, panel="network", width=1.0, of="")
    x0, y0 = (places[:, 0] - diagram.half).T
    x1, y1 = (places[:, 0] + diagram.half).T
    numbers = np.arange(1, len(places) + 1)
    corner: dict[str, Any] = {"x0": x0, "y0": y0, "x1": x1, "y1": y1}
    return [edges, Rects(panel="network", **corner, opacity=[0.0], numbers=numbers, of="unit")]


def names(diagram: Diagram, columns: Sequence[str], outputs: Sequence[str]) -> list[Texts]:
    """Return the names of the inputs and of the outputs, at the top of their units."""
    marks = []
    for layer, labels in ((0, columns), (-1, outputs)):
        x, y = (diagram.places[layer] + diagram.half * np.array([0.0, 1.0])).T
        text = [_short(labels[i]) for i in diagram.units[layer]]
        marks.append(Texts(panel="network", x=x, y=y, text=text, dy=DOWN, halo=True, of=""))
    return marks


def _short(name: str) -> str:
    return name if len(name) <= MAX_LETTERS else f"{name[: MAX_LETTERS - 1]}…"


def edge_marks(
    diagram: Diagram, coefs: Weights, signs: tuple[int, int], largest: Sequence[float]
) -> Segments:
    """Return the weights as edges: the wider the larger, in the colour of their sign.

    Parameters
    ----------
    diagram : Diagram
        Where the units are.
    coefs : sequence of ndarray
        The weights of each layer.
    signs : tuple of (int, int)
        The classes whose colours negative and positive weights have.
    largest : sequence of float
        The absolute weight of the widest edge of each layer.
    """
    starts, ends = diagram.ends
    layers = np.array([layer for layer, *_ in diagram.edges])
    values = diagram.values(coefs)
    shares = np.abs(values) / np.array(largest)[layers]
    widths = np.clip(MAX_WIDTH * shares, MIN_WIDTH, MAX_WIDTH)
    return segments_between(
        starts,
        ends,
        panel="network",
        color=np.where(values < 0, *signs).astype(np.uint8),
        size=np.round(2 * widths) / 2 + 0.2,
        numbers=layers + 1,
        of="layer",
    )


def unit_maps(
    diagram: Diagram, maps: Sequence[Floats], colors: Sequence[Any], opacity: float
) -> list[Raster]:
    """Return the map of each drawn unit.

    Parameters
    ----------
    diagram : Diagram
        Where the units are.
    maps : sequence of ndarray of shape (n_places, n_units)
        The values of each layer, from -1 to 1.
    colors : sequence
        For each layer the classes of negative and of positive values, or for each unit the class of
        its positive ones.
    opacity : float
        Of the maps.
    """
    marks = []
    for layer, (places, units) in enumerate(zip(diagram.places, diagram.units, strict=True)):
        for place, unit in zip(places, units, strict=True):
            classes = colors[layer]
            if not isinstance(classes, tuple):
                classes = (NO_CLASS, classes[unit])
            marks.append(_unit_map(maps[layer][:, unit], classes, place, diagram.half, opacity))
    return marks


def _unit_map(
    values: Floats, classes: tuple[int, int], place: Floats, half: Floats, opacity: float
) -> Raster:
    """Return a map around a place: the sign of each value is its colour, its size the shade."""
    (x0, y0), (x1, y1) = place - half, place + half
    levels = np.round(N_SHADES * np.clip(np.abs(values), 0, 1))
    return Raster(
        panel="network",
        pixels=np.where(values < 0, *classes).astype(np.uint8),
        shade=(levels * (255 // N_SHADES)).astype(np.uint8),
        width=GRID,
        height=GRID,
        extent=(x0, x1, y0, y1),
        opacity=opacity,
        of="",
    )
