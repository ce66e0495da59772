"""Sequences as a map: a row for each sequence, a column for each step."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.marks import Raster
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.problem.sequences import SequencesProblem

MAX_SEQUENCES = 60  # sequences that are drawn


def sequences_scene(problem: SequencesProblem) -> Scene:
    """Return the sequences alone, in one frame: symbols or numbers as shades."""
    data = problem.data
    inputs = data.inputs[:MAX_SEQUENCES]
    n, n_steps = inputs.shape[:2]
    shades = (
        inputs.argmax(axis=2) / max(len(data.symbols) - 1, 1) if data.symbols else inputs[..., 0]
    )
    pixels = (40 + 215 * np.clip(shades, 0, 1)).astype(np.uint8) * (
        data.mask[:n] > 0 if data.symbols else 1
    )
    panel = Panel(
        "data",
        Axis("step", 0.5, n_steps + 0.5, integer=True),
        Axis("sequence", 0.5, n + 0.5, integer=True),
    )
    cells = pixels.astype(np.uint8)[::-1].ravel()
    image = Raster(
        pixels=cells, width=n_steps, height=n, extent=panel.extent, ramp=True, opacity=0.8
    )
    what = f"{len(data.symbols)} symbols" if data.symbols else "numbers"
    caption = f"{len(data.inputs)} sequences of up to {n_steps} steps, of {what}."
    return Scene((panel,), (image,), (Frame(caption),))
