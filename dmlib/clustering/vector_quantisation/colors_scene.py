"""The space of the colours: where pixels and codes lie, and how codes move."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centers_scene import moves, numbered, rings
from dmlib.clustering.vector_quantisation.algorithm import VectorQuantizer
from dmlib.clustering.vector_quantisation.coded_scene import CodedImage, Coding
from dmlib.clustering.vector_quantisation.lvq import LVQ
from dmlib.clustering.vector_quantisation.online import OnlineStep
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap, grid_edges
from dmlib.pictures.data.image import as_bytes
from dmlib.pictures.marks import Mark, Points, Raster, Rects, Segments
from dmlib.pictures.places import NOWHERE, points_at, segments_between
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment

CELLS = 90  # of the colour space along an axis
BINS = 64  # of the grey values
NAME = "colors"
CODE, SELECTED = 8.0, 6.0  # radii in pixels
MANY = 12  # codes that are drawn smaller


class ColorSpace:
    """The colours of an image, and the codes among them.

    Parameters
    ----------
    image : CodedImage
        The image.
    side : bool
        Whether the panel is a small one beside the picture.

    Attributes
    ----------
    panel : Panel
        The plane of the two principal components of the colours; of grey values, their histogram.
    """

    def __init__(self, image: CodedImage, *, side: bool = False) -> None:
        self._image, model = image, image.run.model
        self.panel = _grey_panel(image, side) if image.n_channels == 1 else _plane(image, side)
        self._background = _bars(image) if image.n_channels == 1 else _cloud(image, self.panel)
        self._pixel = image.places(image.pixels.reshape(-1, image.n_channels)[[image.sample]])
        self._is_batch = isinstance(model, VectorQuantizer)
        self._edges = None
        if isinstance(model, SelfOrganizingMap):
            self._edges = grid_edges(model.n_rows, model.n_columns)

    def marks(self, coding: Coding, moment: Moment) -> list[Mark]:
        """Return the colours of the pixels, the codes among them, and what the step does."""
        places = self._image.places(coding.step.codebook)
        return [
            self._background,
            self._move(moment, places) if self._is_batch else self._drawn_row(coding),
            *self._grid(places),
            _codes(coding, places),
            *self._chosen_pixel(coding),
        ]

    def _move(self, moment: Moment, places: Floats) -> Segments:
        """Return the arrows of an update."""
        old = self._image.places(moment.before.codebook)
        return moves(old, places, moment.step.phase == "update", panel=NAME)

    def _drawn_row(self, coding: Coding) -> Points:
        """Return the row that the step has drawn."""
        row = cast(OnlineStep, coding.step).row
        rows = self._image.rows[[] if row is None else [row]]
        return points_at(
            self._image.places(rows) if len(rows) else NOWHERE,
            panel=NAME,
            color=np.zeros(len(rows), np.uint8),
            symbol=[3],
            size=[SELECTED],
            palette=as_bytes(rows).ravel(),
            emphasis=True,
            of="",
        )

    def _grid(self, places: Floats) -> list[Segments]:
        """Return the grid of a self-organising map."""
        if self._edges is None:
            return []
        starts, ends = places[self._edges[:, 0]], places[self._edges[:, 1]]
        return [segments_between(starts, ends, panel=NAME, width=2.0)]

    def _chosen_pixel(self, coding: Coding) -> tuple[Segments, Points]:
        """Return the selected pixel, joined to its code."""
        code = coding.labels[self._image.sample]
        place = self._image.places(coding.step.codebook[[code]])
        return (
            segments_between(self._pixel, place, panel=NAME, width=2.0),
            rings(self._pixel, SELECTED, panel=NAME, labels=["the pixel"], of=""),
        )


def _grey_panel(image: CodedImage, side: bool) -> Panel:
    top = float(_histogram(image).max())
    shares = Axis("share of pixels", -0.08 * top, 1.06 * top)
    return Panel(NAME, Axis("grey value", -0.02, 1.02), shares, "Grey values and codes", side=side)


def _plane(image: CodedImage, side: bool) -> Panel:
    columns = image.places(image.pixels.reshape(-1, image.n_channels)).T
    x, y = (Axis(f"component {i + 1}", *bounds(column)) for i, column in enumerate(columns))
    return Panel(NAME, x, y, "Colours and codes", side=side)


def _histogram(image: CodedImage) -> Floats:
    counts = np.histogram(image.pixels, BINS, (0.0, 1.0))[0]
    shares: Floats = counts / counts.sum()
    return shares


def _bars(image: CodedImage) -> Rects:
    """Return the histogram of grey values, each bar in its grey."""
    edges = np.linspace(0, 1, BINS + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    return Rects(
        panel=NAME,
        x0=edges[:-1],
        y0=np.zeros(BINS),
        x1=edges[1:],
        y1=_histogram(image),
        color=np.arange(BINS),
        palette=as_bytes(middles[:, None]).ravel(),
    )


def _cloud(image: CodedImage, panel: Panel) -> Raster:
    """Return the plane of the colours, each cell in the mean colour of its pixels."""
    colors = image.pixels.reshape(-1, image.n_channels)
    shares = (image.places(colors) - [panel.x.low, panel.y.low]) / panel.size
    column, up = np.clip((shares * CELLS).astype(int), 0, CELLS - 1).T
    used, cell = np.unique((CELLS - 1 - up) * CELLS + column, return_inverse=True)
    sums = np.column_stack([np.bincount(cell, weights=channel) for channel in colors.T])
    pixels, shade = np.zeros(CELLS * CELLS, np.intp), np.zeros(CELLS * CELLS, np.uint8)
    pixels[used], shade[used] = np.arange(len(used)), 255
    return Raster(
        panel=NAME,
        pixels=pixels,
        shade=shade,
        palette=as_bytes(sums / np.bincount(cell)[:, None]).ravel(),
        width=CELLS,
        height=CELLS,
        extent=panel.extent,
        opacity=0.75,
    )


def _codes(coding: Coding, places: Floats) -> Points:
    """Return the codes, in their own colours; of LVQ in those of their classes."""
    model, n = coding.image.run.model, coding.image.n_codes
    numbers = np.arange(n)
    look: dict[str, Any] = {"color": numbers, "symbol": [0], "palette": coding.inks}
    if isinstance(model, LVQ):
        look = {"color": numbers // model.n_prototypes}
    return points_at(
        places,
        panel=NAME,
        labels=numbered("code", n),
        emphasis=True,
        size=[CODE if n <= MANY else CODE - 3],
        numbers=numbers + 1,
        of="code",
        **look,
    )
