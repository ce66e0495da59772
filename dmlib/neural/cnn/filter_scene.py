"""A filter that slides over a picture: the window, the filter, the feature map, the pooled map."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.cnn.filters import FILTERS
from dmlib.neural.cnn.ledger import filter_words
from dmlib.neural.cnn.picture_scene import (
    LEARNED,
    PictureView,
    gray_raster,
    signed_codes,
    signed_palette,
)
from dmlib.neural.cnn.sliding import FilterStep, Sliding
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster, Rects, Texts
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_where
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, frames_by_phase, story
from dmlib.pictures.words import num
from dmlib.problem.digits import SIDE

MAX_PLACES = 100  # places of the filter that have a frame
MAX_SIDE = 14  # pixels along a side up to which values are written
MAX_LONG = 10  # and up to which two decimals have room
IN_CORNER = 0.12  # of a pixel, from its edges
MAX_OPACITY = 0.65  # opacity of the largest value, on which numbers can be read
HARDLY = 0.02  # opacity of a point that is there, but is not to be seen
LEGEND = (
    Key("above 0", 0, kind="area"),
    Key("below 0", 1, kind="area"),
    Key("drag it over the map", hollow=True),
)


def filter_scene(view: PictureView) -> Scene:
    """Draw a filter place by place."""
    sliding = sliding_of(view)
    has_numbers = max(sliding.padded.shape) <= MAX_SIDE
    pad, n_places = sliding.padding, sliding.sums.size
    corner = (-pad, len(sliding.ink) + pad)
    picture = ValueGrid("data", sliding.padded, corner, has_numbers, scale=1.0)
    feature_map = ValueGrid("map", sliding.sums, (0, len(sliding.sums)), has_numbers)
    kernel = ValueGrid("kernel", sliding.kernel, (0, len(sliding.kernel)), True)
    pooled = ValueGrid("pooled", sliding.pooled, (0, len(sliding.pooled)), has_numbers)
    edge = _edge(sliding)

    def draw(moment: Moment) -> Drawing:
        step: FilterStep = moment.step
        n_sums = min(step.place + 1, n_places)
        n_pooled = 0 if step.phase == "multiply" else sliding.pooled.size
        marks = [
            *picture.marks(),
            *feature_map.marks(n_sums),
            *kernel.marks(),
            *pooled.marks(n_pooled),
            *edge,
            *_window(sliding, step),
        ]
        return Drawing(marks, *filter_words(sliding, step), step.phase)

    steps = sliding.steps
    numbers, notes = frames_by_phase(steps, {("multiply",): MAX_PLACES})
    return story(
        view.run,
        draw,
        panels=_panels(sliding),
        steps=steps,
        numbers=numbers,
        legend=LEGEND,
        handles=view.grids("data", float(SIDE)),
        notes=notes,
    )


def sliding_of(view: PictureView) -> Sliding:
    """Return the chosen filter on the picture; a learned one is that of the last step."""
    options, run = view.options, view.run
    if options["kernel"] != LEARNED:
        name = options["kernel"]
        return Sliding(view.ink, FILTERS[name], f"filter {name}", options)
    size = run.model.kernel_size
    filters = run.trace.steps[-1].network.arrays[0].T.reshape(-1, size, size)
    number = int(min(options["number"], run.model.n_filters))
    return Sliding(view.ink, filters[number - 1], f"learned filter {number}", options)


def _panels(sliding: Sliding) -> list[Panel]:
    """Return the panels: picture, feature map, filter, pooled map."""
    (height, width), pad = sliding.ink.shape, sliding.padding
    down, across = sliding.sums.shape
    k, m = sliding.kernel.shape
    picture = (Axis("", -pad, width + pad), Axis("", -pad, height + pad))
    feature_map = (Axis("", 0, max(across, 1)), Axis("", 0, max(down, 1)))
    kernel = (Axis("", 0, m), Axis("", 0, k))
    panels = [
        Panel("data", *picture, "Picture: ink from 0 to 1", equal=True),
        Panel("map", *feature_map, f"Feature map {down} x {across}", equal=True),
        Panel("kernel", *kernel, f"Filter {k} x {m}", side=True, equal=True),
    ]
    if sliding.pooled.size:
        rows, columns = sliding.pooled.shape
        title = f"{sliding.options['pool'].capitalize()} pooling: {rows} x {columns}"
        pooled = (Axis("", 0, columns), Axis("", 0, rows))
        panels.append(Panel("pooled", *pooled, title, side=True, equal=True))
    return panels


class ValueGrid:
    """Values as tiles with numbers or, where they are many, as an image.

    Parameters
    ----------
    panel : str
        The panel. In that of the picture an image is grey.
    values : ndarray of shape (height, width)
        The values.
    corner : tuple of (float, float)
        The top left corner.
    has_numbers : bool
        Whether they are tiles with numbers.
    scale : float
        The value with the full colour; 0 for the largest.
    """

    def __init__(
        self,
        panel: str,
        values: Floats,
        corner: tuple[float, float],
        has_numbers: bool,
        *,
        scale: float = 0.0,
    ) -> None:
        self.panel, self.values, self.corner, self.scale = panel, values, corner, scale
        self._marks: list[Any] = []
        if values.size:
            self._marks = [*self._tiles()] if has_numbers else [self._image()]

    def marks(self, n_filled: int | None = None) -> list[Mark]:
        """Return the values, or the first of them."""
        if n_filled is None or not self._marks:
            return [*self._marks]
        is_filled = np.arange(self.values.size) < n_filled
        if isinstance(self._marks[0], Raster):
            return [replace(self._marks[0], shade=np.where(is_filled, 255, 0).astype(np.uint8))]
        tiles, *numbers = self._marks
        opacity = np.where(is_filled, tiles.opacity, 0.0)
        return [
            replace(tiles, opacity=opacity),
            *(visible_where(is_filled, each) for each in numbers),
        ]

    def _tiles(self) -> list[Rects | Texts | Points]:
        """Return a tile with its number for each value.

        Numbers of a large grid give way to points where a panel is narrow; a tap then says them.
        """
        left, top = self.corner
        rows, columns = (index.ravel() for index in np.indices(self.values.shape))
        values = self.values.ravel()
        largest = self.scale or float(np.abs(values).max()) or 1.0
        x, y = left + columns, top - rows
        tiles = Rects(
            panel=self.panel,
            x0=x,
            y0=y - 1,
            x1=x + 1,
            y1=y,
            color=(values < 0).astype(np.uint8),
            opacity=MAX_OPACITY * np.minimum(np.abs(values) / largest, 1.0),
            numbers=np.arange(len(values)) + 1,
            of="place" if self.panel == "map" else "",
        )
        digits = 2 if max(self.values.shape) <= MAX_LONG else 1
        text = [_short(value, digits) for value in values]
        middle: dict[str, Any] = {"panel": self.panel, "x": x + 0.5, "y": y - 0.5}
        labels = [num(value) for value in values]
        taps = Points(**middle, size=[2.0], opacity=[HARDLY], labels=labels, of="")
        is_large = self.panel in {"data", "map"}
        return [tiles, Texts(**middle, text=text), *([taps] if is_large else [])]

    def _image(self) -> Raster:
        """Return an image: the picture in grey, a map in orange and blue."""
        (height, width), (left, top) = self.values.shape, self.corner
        extent = (left, left + width, top - height, top)
        if self.panel == "data":
            return gray_raster(self.values, extent, panel=self.panel, opacity=1.0)
        codes = signed_codes(self.values, self.scale or None).ravel()
        return Raster(
            panel=self.panel,
            pixels=codes,
            palette=signed_palette(),
            width=width,
            height=height,
            extent=extent,
            opacity=1.0,
        )


def _short(value: float, digits: int) -> str:
    """Return a value that fits into a pixel."""
    return num(round(value, digits) + 0.0)


def _edge(sliding: Sliding) -> list[Line]:
    """Return the edge between the picture and its padding."""
    if not sliding.padding:
        return []
    height, width = sliding.ink.shape
    return [line_through(_box(0, width, 0, height), color="muted", width=1.5, dash=True)]


def _window(sliding: Sliding, step: FilterStep) -> list[Mark]:
    """Return the outline of the filter on the picture, its weights, and the place of the map."""
    outline, taps, box = NOWHERE, NOWHERE, NOWHERE
    if step.phase == "multiply":
        taps = _taps(sliding, step.place)
        (x0, y0), (x1, y1) = taps.min(axis=0) - 0.5, taps.max(axis=0) + 0.5
        outline, box = _box(x0, x1, y1, y0), _place_box(sliding, step.place)
    marks: list[Mark] = [
        line_through(outline, panel="data", width=3.0),
        line_through(box, panel="map", width=3.0),
    ]
    if sliding.options["dilation"] > 1:
        marks.append(points_at(taps, color=[NO_CLASS], symbol=[0], hollow=[1], size=[4.0], of=""))
    return [*marks, _handle(sliding, step.place)]


def _handle(sliding: Sliding, place: int) -> Points:
    """Return the point that is dragged over the map; at the end it is at the last place."""
    corner = NOWHERE
    if sliding.sums.size:
        box = _place_box(sliding, min(place, sliding.sums.size - 1))
        corner = box[[1]] - IN_CORNER
    ring: dict[str, Any] = {"color": [NO_CLASS], "symbol": [0], "hollow": [1], "size": [5.0]}
    return points_at(corner, panel="map", leads="xy", of="", **ring)


def _taps(sliding: Sliding, place: int) -> Floats:
    """Return the middles of the pixels under the filter, shape (k², 2)."""
    rows, columns = sliding.taps(place)
    left, top = -sliding.padding, len(sliding.ink) + sliding.padding
    return np.column_stack([left + columns.ravel() + 0.5, top - rows.ravel() - 0.5])


def _place_box(sliding: Sliding, place: int) -> Floats:
    """Return the outline of a place of the map."""
    down, across = sliding.sums.shape
    row, column = divmod(place, across)
    return _box(column, column + 1, down - row, down - row - 1)


def _box(x0: float, x1: float, y0: float, y1: float) -> Floats:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]], float)
