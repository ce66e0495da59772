"""The network unrolled in time: a column for each step, a row for each unit; and how far the error reaches back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.neural.rnn.look import Look
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark, PerFrame, Raster
from dmlib.pictures.scene import Axis, Handle, Panel

TITLES = {
    "h": "Hidden units h", "c": "Cell state, tanh(c)", "f": "Forget gate f", "i": "Input gate i", "o": "Output gate o",
    "g": "Candidate g",
}  # fmt: skip
ONE_SIDED = ("f", "i", "o")  # from 0 to 1; the others on both sides of 0
DEEP = -6.0  # powers of ten below the strongest that are shown
FEW = 32  # steps whose symbols are written below


def unrolled(
    look: Look, steps: Sequence[RecurrentStep], signal: str, symbols: Sequence[str]
) -> tuple[Panel, list[Mark]]:
    """Return the signals of all units in all steps of a sequence."""
    n_steps = int(look.mask.sum()) if symbols else look.inputs.shape[1]  # what pads a string is not shown
    n_units = look.model.n_hidden
    ticks = ["", *(symbols[int(x.argmax())] for x in look.inputs[0, :n_steps])] if symbols and n_steps <= FEW else ()
    x = Axis("step", 0.5, n_steps + 0.5, integer=True, ticks=ticks)
    sides = "0 to 1" if signal in ONE_SIDED else "−1 to 1"
    panel = Panel("unrolled", x, Axis("unit", 0.5, n_units + 0.5, integer=True), title=f"{TITLES[signal]}, {sides}")

    def pixels(step: RecurrentStep) -> Any:
        values = look.signals(step)[1][signal][0, :n_steps].T[::-1]
        shares = values if signal in ONE_SIDED else ((np.tanh(values) if signal == "c" else values) + 1) / 2
        return (255 * shares).astype(np.uint8).ravel()

    image = Raster(
        panel="unrolled",
        pixels=PerFrame(Deferred(pixels, list(steps))),
        width=n_steps,
        height=n_units,
        extent=panel.extent,
        ramp=True,
        opacity=0.9,
        crisp=True,
        numbers=numbers_at(look.t, n_units, n_steps),
        of="unit",
    )
    return panel, [image]


def numbers_at(step: int, n_rows: int, n_steps: int) -> NDArray[np.intp]:
    """Return what the cells of an image are about: in the column of a step their rows, from below; 0 in the others.

    Examples
    --------
    >>> numbers_at(1, 2, 3).tolist()
    [0, 2, 0, 0, 1, 0]
    """
    numbers = np.zeros((n_rows, n_steps), np.intp)
    numbers[:, step] = np.arange(n_rows, 0, -1)
    return numbers.ravel()


def look_handle(look: Look) -> Handle:
    """Return the line at the step that is looked into."""
    return Handle("look", "unrolled", f"step {look.t + 1}", "x", float(look.t + 1), None)


def reach(look: Look, steps: Sequence[RecurrentStep]) -> tuple[Panel, list[Mark]]:
    """Return how strongly the last error hangs on earlier inputs, by powers of ten."""
    last = int(np.flatnonzero(look.mask)[-1])
    back = Axis("steps back", -0.02 * last - 0.1, 1.02 * last + 0.1, integer=True)
    panel = Panel("reach", back, Axis("log₁₀ effect", DEEP, 0.4), title="Back-propagated error", side=True)

    def logs(step: RecurrentStep) -> Any:
        return np.log10(np.maximum(look.reach(step), 10.0 ** (DEEP - 1)))

    y = PerFrame(Deferred(logs, list(steps)))
    places = np.arange(last + 1, dtype=float)
    return panel, [Line(panel="reach", x=places, y=y, color="accent", width=2.5, tween=True)]
