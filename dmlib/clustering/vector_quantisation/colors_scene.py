"""The space of the colours: where pixels and codes lie, and how codes move."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.vector_quantisation.algorithm import VectorQuantizer
from dmlib.clustering.vector_quantisation.coded_scene import Picture
from dmlib.clustering.vector_quantisation.lvq import LVQ
from dmlib.clustering.vector_quantisation.online import OnlineStep
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap, grid_edges
from dmlib.pictures.data.image import as_bytes
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Raster, Rects, Segments
from dmlib.pictures.motion import displacements, xy
from dmlib.pictures.scene import Axis, Panel, bounds

CELLS = 90  # of the colour space along an axis
BINS = 64  # of the grey values
NAME = "colors"
CODE, DRAWN = 8.0, 6.0  # radii in pixels
MANY = 12  # codes that are drawn smaller


def colors_panel(picture: Picture, *, side: bool = False) -> Panel:
    """Return the panel of the colours: the plane of their two principal components; of grey values, their histogram."""
    if picture.image.shape[2] == 1:
        top = float(_histogram(picture).max())
        shares = Axis("share of pixels", -0.08 * top, 1.06 * top)
        return Panel(NAME, Axis("grey value", -0.02, 1.02), shares, "Grey values and codes", side=side)
    x, y = picture.places(picture.image.reshape(-1, 3)).T
    return Panel(NAME, Axis("component 1", *bounds(x)), Axis("component 2", *bounds(y)), "Colours and codes", side=side)


def space_marks(picture: Picture) -> list[Mark]:
    """Return the colours of the pixels, the codes among them, and what the step does."""
    background = _bars(picture) if picture.image.shape[2] == 1 else _cloud(picture)
    return [background, *_moves(picture), *_grid(picture), _codes(picture), *_asked(picture)]


def _histogram(picture: Picture) -> Floats:
    counts = np.histogram(picture.image, BINS, (0.0, 1.0))[0]
    shares: Floats = counts / counts.sum()
    return shares


def _bars(picture: Picture) -> Rects:
    """Return the histogram of grey values, each bar in its grey."""
    edges = np.linspace(0, 1, BINS + 1)
    heights = _histogram(picture)
    middles = (edges[:-1] + edges[1:]) / 2
    return Rects(
        panel=NAME, x0=edges[:-1], y0=np.zeros(BINS), x1=edges[1:], y1=heights, color=np.arange(BINS),
        palette=as_bytes(middles[:, None]).ravel(),
    )  # fmt: skip


def _cloud(picture: Picture) -> Raster:
    """Return the plane of the colours, each cell in the mean colour of its pixels."""
    panel = colors_panel(picture)
    colors = picture.image.reshape(-1, 3)
    shares = (picture.places(colors) - [panel.x.low, panel.y.low]) / panel.size
    column, up = np.clip((shares * CELLS).astype(int), 0, CELLS - 1).T
    cell = (CELLS - 1 - up) * CELLS + column
    used, where = np.unique(cell, return_inverse=True)
    counts = np.bincount(where)
    mean = np.column_stack([np.bincount(where, weights=channel) for channel in colors.T]) / counts[:, None]
    pixels, shade = np.zeros(CELLS * CELLS, np.intp), np.zeros(CELLS * CELLS, np.uint8)
    pixels[used], shade[used] = np.arange(len(used)), 255
    return Raster(
        panel=NAME, pixels=pixels, shade=shade, palette=as_bytes(mean).ravel(), width=CELLS, height=CELLS,
        extent=panel.extent, opacity=0.75,
    )  # fmt: skip


def _codes(picture: Picture) -> Points:
    """Return the codes, in their own colours; of LVQ in those of their classes."""
    x, y = xy(Deferred(lambda step: picture.places(step.codebook), picture.steps))
    n = len(picture.steps[0].codebook)
    more: dict[str, Any] = {"symbol": [0], "palette": PerFrame(picture.inks), "color": np.arange(n)}
    if isinstance(picture.run.model, LVQ):
        more = {"color": np.arange(n) // picture.run.model.n_prototypes}
    labels = [f"code {j + 1}" for j in range(n)]
    size = [CODE if n <= MANY else CODE - 3]
    return Points(
        panel=NAME, x=x, y=y, labels=labels, emphasis=True, size=size, tween=True, numbers=np.arange(n) + 1,
        of="code", **more,
    )  # fmt: skip


def _grid(picture: Picture) -> list[Mark]:
    """Return the grid of a self-organising map."""
    model = picture.run.model
    if not isinstance(model, SelfOrganizingMap):
        return []
    edges = grid_edges(model.n_rows, model.n_columns)
    (x0, y0), (x1, y1) = (
        xy(Deferred(lambda step, side=side: picture.places(step.codebook)[edges[:, side]], picture.steps))
        for side in (0, 1)
    )
    return [Segments(panel=NAME, x0=x0, y0=y0, x1=x1, y1=y1, width=2.0, tween=True)]


def _moves(picture: Picture) -> list[Mark]:
    """Return the arrows of an update; of a row that is drawn, the row too."""
    if isinstance(picture.run.model, VectorQuantizer):
        places = [picture.places(step.codebook) for step in picture.steps]
        return [displacements(places, [step.phase == "update" for step in picture.steps], panel=NAME)]
    drawn = [_drawn(picture, step) for step in picture.steps]
    x, y = xy(place for place, _ in drawn)
    color = PerFrame([np.zeros(len(ink) // 3, np.uint8) for _, ink in drawn])
    palette = PerFrame([ink for _, ink in drawn])
    return [Points(panel=NAME, x=x, y=y, color=color, symbol=[3], size=[DRAWN], palette=palette, emphasis=True, of="")]


def _drawn(picture: Picture, step: OnlineStep) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    if step.row is None:
        return np.empty((0, 2)), np.empty(0, np.uint8)
    row = picture.rows[[step.row]]
    return picture.places(row), as_bytes(row).ravel()


def _asked(picture: Picture) -> list[Mark]:
    """Return the pixel that is asked about, joined to its code."""
    row = picture.image.reshape(-1, picture.image.shape[2])[[picture.run.asked.sample or 0]]
    place = picture.places(row)
    x1, y1 = xy(
        Deferred(
            lambda i: picture.places(picture.steps[i].codebook[[picture.labels[i][picture.run.asked.sample]]]),
            range(len(picture.steps)),
        )
    )
    ring = Points(
        panel=NAME, x=place[:, 0], y=place[:, 1], color=[NO_CLASS], symbol=[0], hollow=[1], size=[DRAWN],
        labels=["the pixel"], of="",
    )  # fmt: skip
    return [Segments(panel=NAME, x0=place[:, 0], y0=place[:, 1], x1=x1, y1=y1, width=2.0), ring]
