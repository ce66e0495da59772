"""A picture beside the one that few of its terms make, the terms, and how near it comes by their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.picture import MOST_TERMS, PictureStep, Taken
from dmlib.decomposition.factorisation.picture_ledger import PictureTeller
from dmlib.decomposition.factorisation.picture_parts import Patches
from dmlib.pictures.data.image import image_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Raster, Rects, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.problem import ImageProblem

ROOM = 150_000  # pixels in all frames
FEWEST, MOST = 6, 24
LEVELS = 20  # of red, green and blue
WIDE = 1.7  # width of the panel by its height
GAP = 0.08  # between the pictures, by their height
TILES = 12  # terms that are drawn as pictures


def picture_scene(run: Run) -> Scene:
    """Draw a picture and what its first terms make of it.

    Examples
    --------
    >>> from dmlib.decomposition import ImageSVD
    >>> from dmlib.problem import prepare_image
    >>> problem = prepare_image([[0, 40, 200, 255], [255, 0, 0, 10]])
    >>> [frame.phase for frame in picture_scene(Run.of(problem, ImageSVD(2))).frames]
    ['start', 'component', 'component', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        first = image_scene(problem)
        return Scene(first.panels, first.marks, (Frame(trace.reason),), first.notes)
    model = run.fitted
    taken: Taken = trace.steps[-1].taken
    shown = thin(len(trace.steps), int(np.clip(ROOM // taken.clean[:, :, 0].size, FEWEST, MOST)))
    steps = [trace.steps[i] for i in shown]
    curve = taken.curve(MOST_TERMS)
    panel, marks = pictures_panel(taken, steps)
    near, near_marks = _curve(taken, curve, steps)
    sides = [_tiles(taken, steps)] if taken.patch > 1 else [_sizes(taken, steps)]
    return Scene(
        (panel, near, *(side for side, _ in sides)),
        (*marks, *near_marks, *(mark for _, some in sides for mark in some)),
        Deferred(PictureTeller(model, taken, curve).frame, steps),
        (*problem.notes, *colour_notes(problem), *thinned_note(shown)),
    )


def colour_notes(problem: ImageProblem) -> list[str]:
    """Return that colours are drawn coarsely, where there are some."""
    return [f"Colours are drawn in {LEVELS} shades each; all is computed exactly."] if problem.colour else []


def colour_codes(image: Floats) -> NDArray[np.int64]:
    """Return the number of each pixel's colour among all shades, or its brightness in bytes."""
    clipped = np.clip(image, 0.0, 1.0)
    if image.shape[2] == 1:
        return np.rint(255 * clipped[:, :, 0]).astype(np.int64).ravel()
    return np.asarray(np.rint((LEVELS - 1) * clipped) @ np.array([LEVELS**2, LEVELS, 1]), np.int64).ravel()


def palette(channels: int) -> NDArray[np.uint8]:
    """Return red, green and blue of all shades, or of all brightnesses."""
    if channels == 1:
        return np.repeat(np.arange(256), 3).astype(np.uint8)
    shade = np.rint(np.linspace(0, 255, LEVELS))
    return np.stack(np.meshgrid(shade, shade, shade, indexing="ij"), axis=-1).reshape(-1).astype(np.uint8)


def pictures_panel(taken: Taken | Patches, steps: Sequence[Any]) -> tuple[Panel, list[Mark]]:
    """Return the picture, with its noise where there is some, and what the terms make of it."""
    height, width, channels = taken.clean.shape
    noise = not np.array_equal(taken.clean, taken.noisy)
    fixed = [("the picture", taken.clean), *([("with noise", taken.noisy)] if noise else [])]
    n = len(fixed) + 1
    across = max(range(1, n + 1), key=lambda k: min(WIDE / (k * width), 1 / (-(-n // k) * height)))
    down = -(-n // across)
    gap = max(2.0, GAP * height)
    places = [(i % across * (width + gap), (down - 1 - i // across) * (height + gap)) for i in range(n)]
    more = {"width": width, "height": height, "opacity": 1.0, "crisp": True, "palette": palette(channels)}
    extents = [(x, x + width, y, y + height) for x, y in places]
    marks: list[Mark] = [
        Raster(pixels=colour_codes(image), extent=extent, **more)
        for (_, image), extent in zip(fixed, extents, strict=False)
    ]
    made = PerFrame(Deferred(lambda step: colour_codes(taken.shown(step)), steps))
    marks.append(Raster(pixels=made, extent=extents[-1], **more))
    names = [name for name, _ in fixed] + ["rebuilt"]
    marks.append(
        Texts(x=[x + width / 2 for x, _ in places], y=[y + height + 0.35 * gap for _, y in places], text=names, of="")
    )
    x = Axis("", 0.0, across * (width + gap) - gap)
    return Panel("data", x, Axis("", 0.0, down * (height + gap)), "", equal=True), marks


def _curve(taken: Taken, curve: Floats, steps: Sequence[PictureStep]) -> tuple[Panel, list[Mark]]:
    """Return how near the picture comes by the number of terms."""
    at = np.arange(len(curve), dtype=float)
    low, high = float(curve.min()), float(min(curve.max(), curve.min() + 60))
    up = Axis("dB", low - 0.05 * (high - low) - 0.1, high + 0.08 * (high - low) + 0.1)
    across = Axis("terms", -0.02 * len(curve), 1.02 * len(curve), integer=True)
    panel = Panel("near", across, up, "PSNR by terms", side=True)
    shown = np.minimum(curve, up.high)
    now = [min(step.n, len(curve) - 1) for step in steps]
    best = [] if np.array_equal(taken.clean, taken.noisy) else [int(curve.argmax())]
    return panel, [
        Line(panel="near", x=at, y=shown, color="muted", width=1.5, of=""),
        Points(panel="near", x=best, y=shown[best], color=[1], size=[4.0], of=""),
        Points(panel="near", x=PerFrame([[float(k)] for k in now]), y=PerFrame([[shown[k]] for k in now]), color=[0],
               size=[5.0], emphasis=True, leads="x", numbers=PerFrame([[k] for k in now]), of="terms"),
    ]  # fmt: skip


def _sizes(taken: Taken, steps: Sequence[PictureStep]) -> tuple[Panel, list[Mark]]:
    """Return the logarithms of the singular values."""
    sizes = np.log10(np.maximum(taken.sizes[:MOST_TERMS], 1e-9))
    at = np.arange(1, len(sizes) + 1, dtype=float)
    low, high = (float(sizes.min()), float(sizes.max())) if len(sizes) else (0.0, 1.0)
    pad = 0.05 * (high - low) + 0.05
    across = Axis("term", 0.0, 1.02 * len(sizes) + 1, integer=True)
    panel = Panel("sizes", across, Axis("log₁₀ σ", low - pad, high + pad), "Singular values", side=True)
    now = [np.arange(min(step.n, len(sizes))) for step in steps]
    return panel, [
        Line(panel="sizes", x=at, y=sizes, color="muted", width=1.5, of=""),
        Points(panel="sizes", x=PerFrame([at[i] for i in now]), y=PerFrame([sizes[i] for i in now]), color=[0],
               size=[2.5], numbers=PerFrame([i + 1 for i in now]), of="terms"),
    ]  # fmt: skip


def _tiles(taken: Taken, steps: Sequence[PictureStep]) -> tuple[Panel, list[Mark]]:
    """Return the first terms as small pictures, grey where they add nothing."""
    side, channels = taken.patch, taken.clean.shape[2]
    k = min(TILES, len(taken.right))
    across = 4
    down = -(-k // across)
    sheet = np.full((down * (side + 1) - 1, across * (side + 1) - 1, channels), 0.5)
    empty = sheet.copy()
    for n in range(k):
        term = taken.right[n].reshape(side, side, channels)
        top, left = n // across * (side + 1), n % across * (side + 1)
        largest = float(np.abs(term).max()) or 1.0
        sheet[top : top + side, left : left + side] = 0.5 + 0.5 * term / largest
    height, width = sheet.shape[:2]

    def pixels(step: PictureStep) -> NDArray[np.int64]:
        drawn = empty.copy()
        for n in range(min(step.n, k)):
            top, left = n // across * (side + 1), n % across * (side + 1)
            drawn[top : top + side, left : left + side] = sheet[top : top + side, left : left + side]
        return colour_codes(drawn)

    panel = Panel("terms", Axis("", 0.0, width), Axis("", 0.0, height), "The first terms", side=True, equal=True)
    frames = tile_frames(k, across, (side, side), panel="terms", of="terms")
    mark = Raster(panel="terms", pixels=PerFrame(Deferred(pixels, steps)), palette=palette(channels), width=width,
                  height=height, extent=(0.0, float(width), 0.0, float(height)), opacity=1.0, crisp=True)  # fmt: skip
    return panel, [mark, frames]


def tile_frames(
    k: int,
    across: int,
    tile: tuple[int, int],
    gap: int = 1,
    corner: float = 0.0,
    there: Sequence[bool] = (),
    **more: Any,
) -> Rects:
    """Return the frames of pictures beside and below each other: they are seen only as the outline of what is lit.

    Examples
    --------
    >>> frames = tile_frames(3, 2, (4, 5))
    >>> frames.x0.tolist(), frames.y0.tolist()
    ([0.0, 6.0, 0.0], [5.0, 5.0, 0.0])
    """
    n, (high, wide) = np.arange(k), tile
    x = n % across * (wide + gap) + corner
    y = (-(-k // across) - 1 - n // across) * (high + gap) + corner
    x0 = PerFrame([np.where(some, x, np.nan) for some in there]) if there else x
    return Rects(x0=x0, x1=x + wide, y0=y, y1=y + high, opacity=[0.0], numbers=n + 1, **more)
