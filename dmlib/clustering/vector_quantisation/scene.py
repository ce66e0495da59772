"""Vector quantisation as a picture: the coded image, its codes as colours, the palette."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.vector_quantisation.algorithm import CodeBook, VectorQuantizer
from dmlib.clustering.vector_quantisation.coded_scene import CodedImage, Coding
from dmlib.clustering.vector_quantisation.colors_scene import ColorSpace
from dmlib.clustering.vector_quantisation.ledger import code_book_ledger
from dmlib.clustering.vector_quantisation.lvq import LVQ, REGIONS, region_codes
from dmlib.clustering.vector_quantisation.palette_scene import CodeTiles, PaletteBars, UnitMap
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap
from dmlib.pictures.data.image import color_raster, image_panel
from dmlib.pictures.marks import Line, Mark, Raster
from dmlib.pictures.places import line_through
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Handle, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import ImageProblem

TITLES = {
    "compressed": "Coded picture",
    "original": "Original",
    "error": "Error: absolute difference, enlarged",
}
ENLARGED = 4.0  # the factor of errors
MAX_FRAMES = 80  # each has a picture
Quantizer = VectorQuantizer | SelfOrganizingMap | LVQ


class Part(Protocol):
    """A panel beside the picture."""

    panel: Panel

    def marks(self, coding: Coding, moment: Moment) -> Sequence[Mark]:
        """Return the marks of the panel."""


@needs_steps
def vector_quantisation_scene(run: Run[ImageProblem, Quantizer]) -> Scene:
    """Draw a run of a method that learns a code book of an image.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.VectorQuantizer`, :class:`dmlib.clustering.LVQ` or
        :class:`dmlib.clustering.SelfOrganizingMap`.

    Returns
    -------
    Scene
        One frame for each step; of very many, some.

    Examples
    --------
    >>> from dmlib.clustering import VectorQuantizer
    >>> from dmlib.problem import prepare_image
    >>> problem = prepare_image([[0, 40, 200, 255]])
    >>> scene = vector_quantisation_scene(Run.of(problem, VectorQuantizer(2, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['seed', 'seed', 'assign', 'update', 'assign', 'done']
    """
    image = CodedImage(run)
    parts = _parts(image)
    picture = _picture(image)
    border = [_border(image)] if isinstance(run.model, LVQ) else []

    def draw(moment: Moment) -> Drawing:
        coding = Coding(image, moment.step, moment.is_last)
        marks = (
            picture(coding),
            *(mark for part in parts for mark in part.marks(coding, moment)),
            *border,
        )
        return Drawing(marks, *code_book_ledger(coding, moment.before), moment.step.phase)

    return story(
        run,
        draw,
        panels=(image_panel(run.problem, _title(image)), *(part.panel for part in parts)),
        legend=_legend(run.model),
        handles=(Handle("query", "data", "pixel", "point", *run.current_query.place),),
        notes=_notes(image),
        max_frames=MAX_FRAMES,
    )


def _title(image: CodedImage) -> str:
    return "Predicted classes" if image.is_classified else TITLES[image.view]


def _parts(image: CodedImage) -> list[Part]:
    """Return the panels beside the picture, by the method."""
    model = image.run.model
    if isinstance(model, SelfOrganizingMap):
        return [ColorSpace(image), UnitMap(model.n_rows, model.n_columns)]
    bars = PaletteBars(Coding(image, image.run.trace.steps[-1], is_last=True))
    if image.patch > 1:
        return [CodeTiles(image), bars]
    return [ColorSpace(image, side=not isinstance(model, LVQ)), bars]


def _legend(model: CodeBook) -> list[Key]:
    if not isinstance(model, LVQ):
        return []
    names = sorted(REGIONS[model.regions])
    return [Key(f"code of the class {name}", j) for j, name in enumerate(names)]


def _picture(image: CodedImage) -> Callable[[Coding], Raster]:
    """Return a function that draws the picture as it is coded, as it was, or its error."""
    height, width = image.pixels.shape[:2]
    extent = (0.0, float(width), 0.0, float(height))
    if image.view == "original":
        original = color_raster(image.pixels)
        return lambda coding: original

    def raster(pixels: NDArray[np.intp], **palette: Any) -> Raster:
        palette["opacity"] = 1.0
        return Raster(pixels=pixels, width=width, height=height, extent=extent, **palette)

    def picture(coding: Coding) -> Raster:
        if image.is_classified:
            return raster(coding.labels // image.run.model.n_prototypes)
        if image.view == "error":
            return raster(_error(coding), palette=np.repeat(np.arange(256), 3))
        return raster(coding.pixels, palette=coding.palette)

    return picture


def _error(coding: Coding) -> NDArray[np.intp]:
    """Return the absolute difference of each pixel from the original as a grey value."""
    difference = np.abs(coding.image.pixels - coding.rebuilt).mean(axis=2)
    shades: NDArray[np.intp] = np.rint(255 * np.minimum(ENLARGED * difference, 1.0)).astype(np.intp)
    return shades.ravel()


def _border(image: CodedImage) -> Line:
    """Return the border between the regions whose pixels are the two classes."""
    height, width = image.pixels.shape[:2]
    regions = region_codes(height, width, image.run.model.regions)
    rows, columns = np.nonzero(regions[:, 1:] != regions[:, :-1])
    upright = _sides(columns + 1, rows, columns + 1, rows + 1)
    rows, columns = np.nonzero(regions[1:] != regions[:-1])
    level = _sides(columns, rows + 1, columns + 1, rows + 1)
    places = np.array([0, height]) + [1, -1] * np.concatenate([upright, level])
    return line_through(places, color="ink", width=2.0, dash=True)


def _sides(x0: NDArray[Any], y0: NDArray[Any], x1: NDArray[Any], y1: NDArray[Any]) -> Floats:
    """Return sides of pixels as one line with gaps, in columns and rows."""
    gaps = np.full(len(x0), np.nan)
    return np.column_stack([x0, y0, x1, y1, gaps, gaps]).reshape(-1, 2)


def _notes(image: CodedImage) -> list[str]:
    if image.run.options.get("dithering", "none") == "none":
        return []
    if isinstance(image.run.model, VectorQuantizer) and image.patch > 1:
        return ["Patches are not dithered: set the patch side to 1."]
    return ["Only the finished picture, in the last frame, is dithered."]
