"""A filter that slides over a picture: the window, its products, the feature map as it fills, the pooled map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.cnn.convolution import average_pool2d, convolve2d, max_pool2d, output_size
from dmlib.neural.cnn.filters import FILTERS
from dmlib.neural.cnn.looked_scene import LEARNED, Look, signed_codes, signed_palette
from dmlib.pictures.data.image import as_bytes
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Rects, Texts
from dmlib.pictures.motion import thin, when, xy
from dmlib.pictures.scene import Axis, Panel

MOST_PLACES = 100  # places of the filter that have a frame
SMALL = 14  # pixels along a side up to which values are written
IN_CORNER = 0.12  # of a pixel, from its edges
STRONG = 0.65  # opacity of the largest value, on which numbers can be read
POOLINGS = {"max": max_pool2d, "average": average_pool2d}


@dataclass(frozen=True)
class Sliding:
    """A filter on a picture.

    Attributes
    ----------
    look : Look
        The run and the options.
    """

    look: Look

    @cached_property
    def kernel(self) -> Floats:
        """The weights; of a learned filter those of the last step."""
        options, run = self.look.options, self.look.run
        if options["kernel"] != LEARNED:
            classic: Floats = FILTERS[options["kernel"]]
            return classic
        size = run.model.kernel_size
        filters: Floats = run.trace.steps[-1].network.arrays[0].T.reshape(-1, size, size)
        chosen: Floats = filters[self.number - 1]
        return chosen

    @property
    def number(self) -> int:
        """The number of the learned filter, at most as many as there are."""
        return int(min(self.look.options["number"], self.look.run.model.n_filters))

    @cached_property
    def padded(self) -> Floats:
        """The picture with its border of zeros."""
        return np.pad(self.look.ink, self.look.options["padding"])

    @cached_property
    def sums(self) -> Floats:
        """The feature map; empty where the filter does not fit."""
        steps = {name: self.look.options[name] for name in ("stride", "padding", "dilation")}
        sizes = zip(self.look.ink.shape, self.kernel.shape, strict=True)
        if not all(output_size(side, kernel, **steps) for side, kernel in sizes):
            return np.empty((0, 0))
        return convolve2d(self.look.ink, self.kernel, **steps)

    @cached_property
    def pooled(self) -> Floats:
        """The pooled map; empty where nothing is pooled or a window does not fit."""
        how, size = self.look.options["pool"], self.look.options["window"]
        if how == "none" or min(self.sums.shape) < size:
            return np.empty((0, 0))
        return POOLINGS[how](self.sums, size)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """The places that have a frame."""
        return thin(self.sums.size, MOST_PLACES)

    @cached_property
    def phases(self) -> list[str]:
        """The phase of each frame."""
        return ["multiply"] * len(self.places) + ["pool"] * bool(self.pooled.size) + ["done"]

    @property
    def written(self) -> bool:
        """Whether values are written into the pixels."""
        return bool(max(self.padded.shape) <= SMALL)

    def taps(self, place: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return row and column in the padded picture of each weight at a place, both of the kernel's shape."""
        row, column = divmod(place, self.sums.shape[1])
        stride, dilation = self.look.options["stride"], self.look.options["dilation"]
        i, j = np.indices(self.kernel.shape)
        return row * stride + i * dilation, column * stride + j * dilation


def filter_panels(sliding: Sliding) -> list[Panel]:
    """Return the panels: picture, feature map, filter, pooled map."""
    (height, width), pad = sliding.look.ink.shape, sliding.look.options["padding"]
    down, across = sliding.sums.shape
    k, m = sliding.kernel.shape
    picture = (Axis("", -pad, width + pad), Axis("", -pad, height + pad))
    feature = (Axis("", 0, max(across, 1)), Axis("", 0, max(down, 1)))
    panels = [
        Panel("data", *picture, "Picture: ink from 0 to 1", equal=True),
        Panel("map", *feature, f"Feature map {down} x {across}", equal=True),
        Panel("kernel", Axis("", 0, m), Axis("", 0, k), f"Filter {k} x {m}", side=True, equal=True),
    ]
    if sliding.pooled.size:
        rows, columns = sliding.pooled.shape
        title = f"{sliding.look.options['pool'].capitalize()} pooling: {rows} x {columns}"
        panels.append(Panel("pooled", Axis("", 0, columns), Axis("", 0, rows), title, side=True, equal=True))
    return panels


def filter_marks(sliding: Sliding) -> list[Mark]:
    """Return all that is drawn: values, the window with its weights, and the place that it fills."""
    frames, n = len(sliding.phases), sliding.sums.size
    pad = sliding.look.options["padding"]
    reached = np.append(sliding.places + 1, [n] * (frames - len(sliding.places)))
    marks = _values("data", sliding.padded, (-pad, sliding.look.ink.shape[0] + pad), sliding.written, scale=1.0)
    if n:
        marks += _values("map", sliding.sums, (0, sliding.sums.shape[0]), sliding.written, reached=reached)
    marks += _values("kernel", sliding.kernel, (0, len(sliding.kernel)), True)
    if sliding.pooled.size:
        there = [phase != "multiply" for phase in sliding.phases]
        marks += _values("pooled", sliding.pooled, (0, len(sliding.pooled)), sliding.written, there=there)
    return [*marks, *_frame_of_the_picture(sliding), *_window(sliding)]


def _values(panel: str, values: Floats, corner: tuple[float, float], written: bool, **more: Any) -> list[Mark]:
    """Return values as tiles with numbers, or, where they are many, as an image; the top left corner is given."""
    return _tiles(panel, values, corner, **more) if written else [_image(panel, values, corner, **more)]


def _tiles(
    panel: str,
    values: Floats,
    corner: tuple[float, float],
    *,
    scale: float = 0.0,
    reached: Any = None,
    there: Any = None,
) -> list[Mark]:
    """Return a tile with its number for each value, filled in row by row, or there in some frames."""
    left, top = corner
    rows, columns = (index.ravel() for index in np.indices(values.shape))
    flat, most = values.ravel(), scale or float(np.abs(values).max()) or 1.0
    x, y = left + columns, top - rows
    strength = STRONG * np.minimum(np.abs(flat) / most, 1.0)
    opacity: Any = strength
    at: Any = x + 0.5
    if reached is not None:
        filled = [np.arange(len(flat)) < n for n in reached]
        opacity = PerFrame([np.where(mask, strength, 0.0) for mask in filled])
        at = PerFrame([np.where(mask, x + 0.5, np.nan) for mask in filled])
    elif there is not None:
        opacity, at = PerFrame([strength if now else 0 * strength for now in there]), when(there, x + 0.5)
    y_at = y - 0.5 if there is None else when(there, y - 0.5)
    return [
        Rects(
            panel=panel,
            x0=x,
            y0=y - 1,
            x1=x + 1,
            y1=y,
            color=(flat < 0).astype(np.uint8),
            opacity=opacity,
            numbers=np.arange(len(flat)) + 1,
            of="place" if panel == "map" else "",
        ),
        Texts(panel=panel, x=at, y=y_at, text=[_short(value) for value in flat]),
    ]


def _short(value: float) -> str:
    """Return a value that fits into a pixel."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−").replace("−0.", "−.").removeprefix("0") or "0"


def _image(
    panel: str,
    values: Floats,
    corner: tuple[float, float],
    *,
    scale: float = 0.0,
    reached: Any = None,
    there: Any = None,
) -> Raster:
    """Return values as an image: the picture in grey, a map in orange and blue."""
    (height, width), (left, top) = values.shape, corner
    shape = {"width": width, "height": height, "opacity": 1.0, "extent": (left, left + width, top - height, top)}
    if panel == "data":
        grey = np.rint(255 * (1 - np.clip(values, 0, 1))).astype(np.intp)
        return Raster(
            panel=panel, pixels=grey.ravel(), palette=as_bytes(np.arange(256)[:, None] / 255).ravel(), **shape
        )
    codes = signed_codes(values, scale or None).ravel()
    shade: Any = None
    if reached is not None:
        ends = np.asarray(reached).tolist()
        shade = PerFrame(Deferred(lambda n: np.where(np.arange(len(codes)) < n, 255, 0).astype(np.uint8), ends))
    elif there is not None:
        shade = PerFrame([np.full(len(codes), 255 if now else 0, np.uint8) for now in there])
    return Raster(panel=panel, pixels=codes, shade=shade, palette=signed_palette(), **shape)


def _frame_of_the_picture(sliding: Sliding) -> list[Mark]:
    """Return the edge between the picture and its padding."""
    if not sliding.look.options["padding"]:
        return []
    height, width = sliding.look.ink.shape
    return [Line(x=[0, width, width, 0, 0], y=[0, 0, height, height, 0], color="muted", width=1.5, dash=True)]


def _window(sliding: Sliding) -> list[Mark]:
    """Return the outline of the filter on the picture, its weights, and the place of the map, in each frame."""
    height, pad = len(sliding.look.ink), sliding.look.options["padding"]
    left, top = -pad, height + pad
    down, across = sliding.sums.shape
    outlines, taps, spots = [], [], []
    for place in sliding.places.tolist():
        rows, columns = sliding.taps(place)
        outlines.append(_box(left + columns.min(), left + columns.max() + 1, top - rows.min(), top - rows.max() - 1))
        taps.append(np.column_stack([left + columns.ravel() + 0.5, top - rows.ravel() - 0.5]))
        row, column = divmod(place, across)
        spots.append(_box(column, column + 1, down - row, down - row - 1))
    rest = len(sliding.phases) - len(sliding.places)
    nothing = [np.empty((0, 2))] * rest
    corners = [spot[[1]] + [-IN_CORNER, -IN_CORNER] for spot in spots]
    leads = [*corners, *(corners[-1:] * rest or nothing)]  # from the end too, the reader drags back over the map
    marks: list[Mark] = []
    for panel, boxes in (("data", outlines), ("map", spots)):
        x, y = xy([*boxes, *nothing])
        marks.append(Line(panel=panel, x=x, y=y, color="ink", width=3.0))
    if sliding.look.options["dilation"] > 1:
        x, y = xy([*taps, *nothing])
        marks.append(Points(x=x, y=y, color=[NO_CLASS], symbol=[0], hollow=[1], size=[4.0], of=""))
    x, y = xy(leads)
    lead = Points(panel="map", x=x, y=y, color=[NO_CLASS], symbol=[0], hollow=[1], size=[5.0], leads="xy", of="")
    return [*marks, lead]


def _box(x0: float, x1: float, y0: float, y1: float) -> Floats:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]], float)
