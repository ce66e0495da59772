"""The network unrolled in time, step by step and unit by unit; the reach of the last error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.neural.rnn.sequence_view import SequenceView
from dmlib.pictures.marks import Line, Raster
from dmlib.pictures.scene import Axis, Handle, Panel
from dmlib.pictures.story import Moment, Plot

TITLES = {
    "h": "Hidden units h",
    "c": "Cell state, tanh(c)",
    "f": "Forget gate f",
    "i": "Input gate i",
    "o": "Output gate o",
    "g": "Candidate g",
}
ONE_SIDED = ("f", "i", "o")  # from 0 to 1; the others on both sides of 0
MIN_POWER = -6.0  # of ten, below the largest effect
MAX_SYMBOLS = 32  # that are written below the steps


def unrolled(view: SequenceView, signal: str, symbols: Sequence[str]) -> Plot:
    """Return the signals of all units in all steps of a sequence."""
    n_units, n_steps = view.model.n_hidden, _n_steps(view, symbols)
    ticks: Sequence[str] = ()
    if symbols and n_steps <= MAX_SYMBOLS:
        ticks = ["", *(symbols[int(x.argmax())] for x in view.inputs[0, :n_steps])]
    sides = "faint 0 to strong 1" if signal in ONE_SIDED else "faint −1 to strong 1"
    panel = Panel(
        "unrolled",
        Axis("step", 0.5, n_steps + 0.5, integer=True, ticks=ticks),
        Axis("unit", 0.5, n_units + 0.5, integer=True),
        title=f"{TITLES[signal]}, {sides}",
    )
    numbers = numbers_at(view.t, n_units, n_steps)

    def image(step: RecurrentStep) -> Raster:
        values = view.signals(step)[1][signal][0, :n_steps].T[::-1]
        return Raster(
            panel="unrolled",
            pixels=(255 * _shares(values, signal)).astype(np.uint8).ravel(),
            width=n_steps,
            height=n_units,
            extent=panel.extent,
            ramp=True,
            opacity=0.9,
            crisp=True,
            numbers=numbers,
            of="unit",
        )

    return Plot(panel, lambda moment: [image(moment.step)])


def _n_steps(view: SequenceView, symbols: Sequence[str]) -> int:
    """Return the number of drawn steps: without those that pad a string."""
    return int(view.mask.sum()) if symbols else view.inputs.shape[1]


def _shares(values: Floats, signal: str) -> Floats:
    """Return signals as numbers from 0 to 1."""
    if signal in ONE_SIDED:
        return values
    if signal == "c":
        values = np.tanh(values)
    return (values + 1) / 2


def numbers_at(step: int, n_rows: int, n_steps: int) -> NDArray[np.intp]:
    """Return the numbers of the cells of an image: in the column of a step the rows from below.

    In other columns they are 0.

    Examples
    --------
    >>> numbers_at(1, 2, 3).tolist()
    [0, 2, 0, 0, 1, 0]
    """
    numbers = np.zeros((n_rows, n_steps), np.intp)
    numbers[:, step] = np.arange(n_rows, 0, -1)
    return numbers.ravel()


def step_handle(view: SequenceView) -> Handle:
    """Return the line at the step whose arithmetic is shown."""
    return Handle("look", "unrolled", f"step {view.t + 1}", "x", float(view.t + 1), None)


def reach(view: SequenceView) -> Plot:
    """Return the effect of earlier inputs on the last error, in powers of ten."""
    last = int(np.flatnonzero(view.mask)[-1])
    panel = Panel(
        "reach",
        Axis("steps back", -0.02 * last - 0.1, 1.02 * last + 0.1, integer=True),
        Axis("log₁₀ effect", MIN_POWER, 0.4),
        title="Back-propagated error",
        side=True,
    )
    places = np.arange(last + 1, dtype=float)

    def marks(moment: Moment) -> list[Line]:
        y = np.log10(np.maximum(view.reach(moment.step), 10.0 ** (MIN_POWER - 1)))
        return [Line(panel="reach", x=places, y=y, color="accent", width=2.5)]

    return Plot(panel, marks)
