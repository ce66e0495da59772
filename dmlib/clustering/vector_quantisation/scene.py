"""Vector quantisation as a picture: the image in few colours, its codes among the colours, the palette."""

from __future__ import annotations

import numpy as np

from dmlib.clustering.vector_quantisation.algorithm import VectorQuantizer
from dmlib.clustering.vector_quantisation.coded_scene import Picture
from dmlib.clustering.vector_quantisation.colors_scene import colors_panel, space_marks
from dmlib.clustering.vector_quantisation.ledger import frame
from dmlib.clustering.vector_quantisation.lvq import LVQ, REGIONS, region_codes
from dmlib.clustering.vector_quantisation.palette_scene import code_tiles, palette_bars, unit_map
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap
from dmlib.pictures.data.image import color_raster, image_panel, image_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark, PerFrame, Raster
from dmlib.pictures.motion import thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Handle, Key, Panel, Scene

TITLES = {"compressed": "Coded picture", "original": "Original", "error": "Error: absolute difference, enlarged"}
LOUD = 4.0  # by which errors are enlarged


def vector_quantisation_scene(run: Run) -> Scene:
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
    >>> [frame.phase for frame in vector_quantisation_scene(Run.of(problem, VectorQuantizer(2, random_state=0))).frames]
    ['seed', 'seed', 'assign', 'update', 'assign', 'done']
    """
    if not run.trace.steps:
        return image_scene(run.problem)
    picture = Picture.of(run)
    frames = Deferred(lambda i: frame(picture, i), range(len(picture.steps)))
    panels, marks, legend = _parts(picture)
    x, y = run.asked.place
    handle = Handle("query", "data", "pixel", "point", x, y)
    notes = (*run.problem.notes, *_notes(picture), *thinned_note(picture.shown))
    return Scene(
        (image_panel(run.problem, _title(picture)), *panels),
        (*_image(picture), *marks),
        frames,
        notes,
        (handle,),
        legend,
    )


def _title(picture: Picture) -> str:
    return "Predicted classes" if picture.classified else TITLES[picture.view]


def _parts(picture: Picture) -> tuple[list[Panel], list[Mark], list[Key]]:
    """Return the panels beside the picture, with their marks, by the method."""
    model = picture.run.model
    if isinstance(model, SelfOrganizingMap):
        grid, marks = unit_map(picture)
        return [colors_panel(picture), grid], [*space_marks(picture), *marks], []
    bars, bar_marks = palette_bars(picture)
    if isinstance(model, LVQ):
        legend = [Key(f"code of the class {name}", j) for j, name in enumerate(sorted(REGIONS[model.regions]))]
        return [colors_panel(picture), bars], [*space_marks(picture), *bar_marks, *_border(picture)], legend
    if picture.patch > 1:
        tiles, tile_marks = code_tiles(picture)
        return [tiles, bars], [*tile_marks, *bar_marks], []
    return [colors_panel(picture, side=True), bars], [*space_marks(picture), *bar_marks], []


def _image(picture: Picture) -> list[Mark]:
    """Return the picture as it is coded, as it was, or what was lost."""
    frames = range(len(picture.steps))
    height, width = picture.image.shape[:2]
    if picture.view == "original":
        return [color_raster(picture.image)]
    more = {"width": width, "height": height, "extent": (0.0, float(width), 0.0, float(height)), "opacity": 1.0}
    if picture.classified:
        n = picture.run.model.n_prototypes
        return [Raster(pixels=PerFrame(Deferred(lambda labels: labels // n, picture.labels)), **more)]
    if picture.view == "error":
        shades = Deferred(lambda i: _shades(picture, i), frames)
        return [Raster(pixels=PerFrame(shades), palette=np.repeat(np.arange(256), 3), **more)]
    return [Raster(pixels=PerFrame(Deferred(picture.codes, frames)), palette=PerFrame(picture.palettes), **more)]


def _shades(picture: Picture, i: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    lost = np.abs(picture.image - picture.rebuilt(i)).mean(axis=2)
    shades: np.ndarray[tuple[int], np.dtype[np.intp]] = np.rint(255 * np.minimum(LOUD * lost, 1.0)).astype(np.intp)
    return shades.ravel()


def _border(picture: Picture) -> list[Mark]:
    """Return the border between the regions whose pixels are the two classes."""
    height, width = picture.image.shape[:2]
    regions = region_codes(height, width, picture.run.model.regions)
    rows, columns = np.nonzero(regions[:, 1:] != regions[:, :-1])
    down, across = np.nonzero(regions[1:] != regions[:-1])
    gap = np.full(len(rows), np.nan), np.full(len(down), np.nan)
    x = [
        *np.column_stack([columns + 1, columns + 1, gap[0]]).ravel(),
        *np.column_stack([across, across + 1, gap[1]]).ravel(),
    ]
    y = [
        *(height - np.column_stack([rows, rows + 1, gap[0]])).ravel(),
        *(height - np.column_stack([down + 1, down + 1, gap[1]])).ravel(),
    ]
    return [Line(x=x, y=y, color="ink", width=2.0, dash=True)]


def _notes(picture: Picture) -> list[str]:
    notes = []
    model = picture.run.model
    asked = picture.run.options.get("dithering", "none")
    if asked != "none" and isinstance(model, VectorQuantizer) and model.patch > 1:
        notes.append("Patches are not dithered: set the patch side to 1.")
    elif asked != "none":
        notes.append("Only the finished picture, in the last frame, is dithered.")
    return notes
