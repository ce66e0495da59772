"""A picture beside the one that its learned parts make, the parts, and the PSNR."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.parts_ledger import PartsNarrator
from dmlib.decomposition.factorisation.picture_parts import ImageParts, PartsStep
from dmlib.decomposition.factorisation.picture_scene import (
    MAX_FRAMES,
    MIN_FRAMES,
    ROOM,
    PicturePlot,
    n_frames,
)
from dmlib.decomposition.factorisation.tiles_scene import TileSheet, colour_notes, unit_parts
from dmlib.pictures.curves import Curve
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import ImageProblem

MAX_TILES = 16  # parts that are drawn


@needs_steps
def parts_scene(run: Run[ImageProblem, ImageParts]) -> Scene:
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
    model: ImageParts = run.fitted
    steps: Sequence[PartsStep] = run.trace.steps
    patches = model.patches_
    pictures, psnr = PicturePlot(patches.clean, patches.noisy), psnr_curve(steps)
    n_parts = len(steps[-1].factors.parts)
    n_tiles = min(MAX_TILES, n_parts)
    title = "The parts" if n_tiles == n_parts else f"The first {n_tiles} parts"
    tiles = TileSheet(n_tiles, patches.patch, patches.clean.shape[2], "parts", title, "part")
    narrator = PartsNarrator(model, patches)

    def shades(step: PartsStep) -> Floats:
        parts = unit_parts(step.factors.parts[:n_tiles])
        return parts if model.learner == "nmf" else 0.5 + 0.5 * parts

    def draw(moment: Moment) -> Drawing:
        step: PartsStep = moment.step
        marks = (
            *pictures.marks(patches.rebuilt(step)),
            *psnr.marks(moment.index),
            *tiles.marks(shades(step)),
        )
        return Drawing(marks, *narrator.caption_and_ledger(step, moment.before), step.phase)

    return story(
        run,
        draw,
        panels=(pictures.panel, psnr.panel, tiles.panel),
        notes=colour_notes(run.problem),
        max_frames=n_frames(patches.clean, ROOM, MIN_FRAMES, MAX_FRAMES),
    )


def psnr_curve(steps: Sequence[PartsStep]) -> Curve:
    """Return the PSNR after each step."""
    values = np.array([step.psnr for step in steps])
    n, low, high = len(steps), float(values.min()), float(values.max())
    pad = 0.08 * (high - low) + 0.1
    x, y = Axis("step", -0.02 * n, 1.02 * n, integer=True), Axis("dB", low - pad, high + pad)
    return Curve.of_steps(Panel("near", x, y, "PSNR by steps", side=True), values)
