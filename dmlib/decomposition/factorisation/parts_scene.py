"""A picture beside the one that its learned parts make, the parts, and the PSNR."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.parts_ledger import PartsNarrator
from dmlib.decomposition.factorisation.picture_parts import PartsStep, Patches
from dmlib.decomposition.factorisation.picture_scene import (
    MAX_FRAMES,
    MIN_FRAMES,
    ROOM,
    PicturePlot,
    n_frames,
)
from dmlib.decomposition.factorisation.tiles_scene import (
    colour_codes,
    colour_notes,
    palette,
    sheet,
    tile_frames,
)
from dmlib.pictures.marks import Line, Mark, Points, Raster
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story

MAX_TILES, N_ACROSS = 16, 4  # parts that are drawn, and beside each other


@needs_steps
def parts_scene(run: Run) -> Scene:
    """Draw a picture and the picture that its learned parts make.

    Examples
    --------
    >>> from dmlib.decomposition import ImageParts
    >>> from dmlib.problem import prepare_image
    >>> problem = prepare_image([[0, 40, 200, 255], [255, 0, 0, 10]])
    >>> run = Run.of(problem, ImageParts(n_components=1, patch=2, max_iter=2))
    >>> [frame.phase for frame in parts_scene(run).frames]
    ['start', 'code', 'atoms', 'code', 'done']
    """
    model, steps = run.fitted, run.trace.steps
    data = run.problem.data
    patches: Patches = run.once("factorisation.patches", lambda: model.patches(data)[0])
    pictures, curve = PicturePlot(patches.clean, patches.noisy), PsnrCurve(steps)
    parts = PartTiles(patches, len(steps[-1].made.parts), is_signed=model.learner != "nmf")
    narrator = PartsNarrator(model, patches)

    def draw(now: Moment) -> Drawing:
        step: PartsStep = now.step
        marks = (*pictures.marks(patches.shown(step)), *curve.marks(now.index), *parts.marks(step))
        return Drawing(marks, *narrator.tell(step, now.before), step.phase)

    return story(
        run,
        draw,
        panels=(pictures.panel, curve.panel, parts.panel),
        notes=colour_notes(run.problem),
        max_frames=n_frames(patches.clean, ROOM, MIN_FRAMES, MAX_FRAMES),
    )


class PsnrCurve:
    """The PSNR after each step.

    Parameters
    ----------
    steps : sequence of PartsStep
        The run.
    """

    def __init__(self, steps: Sequence[PartsStep]) -> None:
        self.values = np.array([step.psnr for step in steps])
        n, low, high = len(steps), float(self.values.min()), float(self.values.max())
        pad = 0.08 * (high - low) + 0.1
        x = Axis("step", -0.02 * n, 1.02 * n, integer=True)
        self.panel = Panel("near", x, Axis("dB", low - pad, high + pad), "PSNR by steps", side=True)
        at = np.arange(n, dtype=float)
        self.line = Line(panel="near", x=at, y=self.values, color="muted", width=1.5, of="")

    def marks(self, number: int) -> tuple[Mark, ...]:
        """Return the curve, and the place of a step on it."""
        point = Points(
            panel="near",
            x=[float(number)],
            y=self.values[number : number + 1],
            color=[0],
            size=[5.0],
            emphasis=True,
            leads="x",
            of="",
        )
        return self.line, point


class PartTiles:
    """The parts as small pictures: from black on, or with grey for nothing where they have signs.

    Parameters
    ----------
    patches : Patches
        The picture as a table.
    n_parts : int
        The number of parts at the end.
    is_signed : bool
        Whether weights can be negative.
    """

    def __init__(self, patches: Patches, n_parts: int, *, is_signed: bool) -> None:
        self.is_signed, self.n_channels = is_signed, patches.clean.shape[2]
        self.side, self.n = patches.patch, min(MAX_TILES, n_parts)
        self.height, self.width = self._sheet(np.empty((0, 0))).shape[:2]
        title = "The parts" if self.n == n_parts else f"The first {self.n} parts"
        x, y = Axis("", 0.0, self.width), Axis("", 0.0, self.height)
        self.panel = Panel("parts", x, y, title, side=True, equal=True)
        tile = (self.side, self.side)
        self.frames = tile_frames(self.n, N_ACROSS, tile, panel="parts", of="part")

    def _sheet(self, parts: Floats) -> Floats:
        tiles = np.full((self.n, self.side, self.side, self.n_channels), 0.5)
        for tile, part in zip(tiles, parts, strict=False):
            weights = part.reshape(tile.shape) / (float(np.abs(part).max()) or 1.0)
            tile[:] = 0.5 + 0.5 * weights if self.is_signed else weights
        return sheet(tiles, N_ACROSS, 0.5)

    def marks(self, step: PartsStep) -> tuple[Mark, ...]:
        """Return the parts of a step."""
        raster = Raster(
            panel="parts",
            pixels=colour_codes(self._sheet(step.made.parts)),
            palette=palette(self.n_channels),
            width=self.width,
            height=self.height,
            extent=(0.0, float(self.width), 0.0, float(self.height)),
            opacity=1.0,
            crisp=True,
        )
        return raster, self.frames
