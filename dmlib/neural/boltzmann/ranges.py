"""Ranges of a Boltzmann machine that fit the data, and what would be too much."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range, outward

WITHOUT = "Hebb's rule needs no iterations: choose the likelihood to learn."


def machine_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return a range of temperatures around the size of a unit's sum, and why learning is idle.

    Examples
    --------
    >>> from dmlib.neural import BoltzmannMachine
    >>> machine_ranges(BoltzmannMachine(), [[1, 0], [0, 1]])["temperature"]
    (0.014, 8.5)
    """
    size = max(float(np.sqrt(np.asarray(X).shape[0])) / 2, 0.5)
    ranges: dict[str, Range] = {"temperature": outward(0.02 * size, 12 * size)}
    if model.learning == "hebb":
        ranges |= {"learning_rate": WITHOUT, "n_learning": WITHOUT}
    return ranges


def restricted_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of the pattern that is shown, and of the size of a batch.

    Examples
    --------
    >>> restricted_ranges(None, [[1, 0], [0, 1], [1, 1]])
    {'cue': (0, 3), 'batch_size': (1, 3)}
    """
    n_rows = len(np.asarray(X))
    return {"cue": (0, n_rows), "batch_size": (1, min(max(n_rows, 2), 100))}


MOST_WORK = 3e9


def too_much_work(problem: Any, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses a run whose number of operations is known to be too large, or nothing."""
    n_rows, n_cells = problem.data.shape
    if "n_components" not in params:
        work = n_cells**2 * (
            10 * params["n_iter"] + 50 * params["n_learning"] * (params["learning"] != "hebb")
        )
        less = "sweeps and iterations"
    else:
        n_batches = -(-n_rows // params["batch_size"])
        work = (
            params["n_iter"]
            * (n_rows * n_cells * params["n_components"] + 20_000 * n_batches)
            * (2 + 2 * params["k"])
        )
        less = "epochs, hidden units and steps k"
    if work <= MOST_WORK:
        return ""
    return (
        f"This run needs about {work:.1g} operations; the limit is {MOST_WORK:.1g}. Choose fewer"
        f" {less}."
    )
