"""A picture beside the one that its learned parts make, the parts as small pictures, and how near it comes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.parts_ledger import PartsTeller
from dmlib.decomposition.factorisation.picture_parts import PartsStep, Patches
from dmlib.decomposition.factorisation.picture_scene import (
    FEWEST,
    MOST,
    ROOM,
    colour_codes,
    colour_notes,
    palette,
    pictures_panel,
    tile_frames,
)
from dmlib.pictures.data.image import image_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Raster
from dmlib.pictures.motion import thin, thinned_note, with_before
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Panel, Scene

TILES, ACROSS = 16, 4  # parts that are drawn, and beside each other


def parts_scene(run: Run) -> Scene:
    """Draw a picture and what its learned parts make of it.

    Examples
    --------
    >>> from dmlib.decomposition import ImageParts
    >>> from dmlib.problem import prepare_image
    >>> problem = prepare_image([[0, 40, 200, 255], [255, 0, 0, 10]])
    >>> [frame.phase for frame in parts_scene(Run.of(problem, ImageParts(n_components=1, patch=2, max_iter=2))).frames]
    ['start', 'code', 'atoms', 'code', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        first = image_scene(problem)
        return Scene(first.panels, first.marks, (Frame(trace.reason),), first.notes)
    model = run.fitted
    patches = run.once("factorisation.patches", lambda: model.patches(problem.data)[0])
    shown = thin(len(trace.steps), int(np.clip(ROOM // patches.clean[:, :, 0].size, FEWEST, MOST)))
    pairs = with_before(trace.steps, shown)
    steps = [step for step, _ in pairs]
    panel, marks = pictures_panel(patches, steps)
    near, near_marks = _curve(trace.steps, shown)
    parts, tiles = _tiles(patches, steps, signed=model.learner != "nmf")
    teller = PartsTeller(model, patches, trace.steps)
    return Scene(
        (panel, near, parts),
        (*marks, *near_marks, *tiles),
        Deferred(teller.frame, pairs),
        (*problem.notes, *colour_notes(problem), *thinned_note(shown)),
    )


def _curve(steps: Sequence[PartsStep], shown: NDArray[np.intp]) -> tuple[Panel, list[Mark]]:
    """Return how near the picture comes, step by step."""
    at, near = np.arange(len(steps), dtype=float), np.array([step.psnr for step in steps])
    low, high = float(near.min()), float(near.max())
    pad = 0.08 * (high - low) + 0.1
    across = Axis("step", -0.02 * len(at), 1.02 * len(at), integer=True)
    panel = Panel("near", across, Axis("dB", low - pad, high + pad), "PSNR by steps", side=True)
    return panel, [
        Line(panel="near", x=at, y=near, color="muted", width=1.5, of=""),
        Points(panel="near", x=PerFrame([at[i : i + 1] for i in shown]), y=PerFrame([near[i : i + 1] for i in shown]),
               color=[0], size=[5.0], emphasis=True, leads="x", of=""),
    ]  # fmt: skip


def _tiles(patches: Patches, steps: Sequence[PartsStep], *, signed: bool) -> tuple[Panel, list[Mark]]:
    """Return the parts as small pictures: from black on, or with grey for nothing where they have signs."""
    side, channels = patches.patch, patches.clean.shape[2]
    k = min(TILES, len(steps[-1].made.parts))
    down = -(-k // ACROSS)
    shape = (down * (side + 1) - 1, ACROSS * (side + 1) - 1, channels)

    def sheet(step: PartsStep) -> NDArray[np.int64]:
        drawn: Floats = np.full(shape, 0.5)
        for n, part in enumerate(step.made.parts[:k]):
            top, left = n // ACROSS * (side + 1), n % ACROSS * (side + 1)
            size = part / (float(np.abs(part).max()) or 1.0)
            drawn[top : top + side, left : left + side] = (0.5 + 0.5 * size if signed else size).reshape(
                side, side, channels
            )
        return colour_codes(drawn)

    height, width = shape[:2]
    title = "The parts" if k == len(steps[-1].made.parts) else f"The first {k} parts"
    panel = Panel("parts", Axis("", 0.0, width), Axis("", 0.0, height), title, side=True, equal=True)
    mark = Raster(panel="parts", pixels=PerFrame(Deferred(sheet, steps)), palette=palette(channels), width=width,
                  height=height, extent=(0.0, float(width), 0.0, float(height)), opacity=1.0, crisp=True)  # fmt: skip
    return panel, [mark, tile_frames(k, ACROSS, (side, side), panel="parts", of="part")]
