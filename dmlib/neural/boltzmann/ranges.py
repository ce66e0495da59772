"""Ranges of Boltzmann machines that fit the data, and runs that would take too long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range, outward
from dmlib.problem import PatternsProblem

MAX_WORK = 3e9  # operations
NO_ITERATIONS = "Hebb's rule needs no iterations: choose the likelihood to learn."


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
        ranges |= {"learning_rate": NO_ITERATIONS, "n_learning": NO_ITERATIONS}
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


def too_much_work(problem: PatternsProblem, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses a run of too many operations, or nothing."""
    n_rows, n_cells = problem.data.shape
    if "n_second" in params:
        n_batches = -(-n_rows // params["batch_size"])
        n_weights = params["n_components"] * (n_cells + params["n_second"])
        work_of_a_pass = n_rows * n_weights + 40_000 * n_batches
        n_passes = params["n_iter"] * (2 + 2 * params["k"]) + 6 * params["max_iter"]
        work, factors = n_passes * work_of_a_pass, "epochs, hidden units and steps k"
    elif "n_components" in params:
        n_batches = -(-n_rows // params["batch_size"])
        work_of_a_pass = n_rows * n_cells * params["n_components"] + 20_000 * n_batches
        work = params["n_iter"] * work_of_a_pass * (2 + 2 * params["k"])
        factors = "epochs, hidden units and steps k"
    else:
        is_learned = params["learning"] != "hebb"
        n_learning = params["n_learning"] if is_learned else 0
        n_hidden = params["n_hidden"] if is_learned else 0
        n_units = n_cells + n_hidden
        work = n_units**2 * (10 * params["n_iter"] + 50 * n_learning)
        if n_hidden:
            work += n_learning * n_rows * (n_units**2 + n_hidden * 2**n_hidden)
        factors = "sweeps and iterations"
    if work <= MAX_WORK:
        return ""
    limit = f"the limit is {MAX_WORK:.1g}"
    return f"This run needs about {work:.1g} operations; {limit}. Choose fewer {factors}."
