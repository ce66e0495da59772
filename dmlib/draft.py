"""How much of its work an algorithm does while a control moves (docs/decisions/0024)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

# Multiplications that take as long as the calls of numpy for one layer of a batch, there and back
CALL = 60_000
MAX_PRODUCTS = 40_000_000  # multiplications, calls included, for which a picture waits: about 10 ms
FEWEST = 1  # epoch: without one there is nothing to see


def epochs_of_draft(max_iter: int, layers: float, products: float) -> int:
    """Return how many of its epochs a network makes in a draft.

    Parameters
    ----------
    max_iter : int
        The epochs of the whole run.
    layers : float
        How many layers, or steps of time, are computed one after the other in an epoch, over all
        batches.
    products : float
        How many rows go through how many weights in an epoch.

    Examples
    --------
    >>> epochs_of_draft(100, layers=15, products=1e5), epochs_of_draft(10, 15, 1e5)
    (40, 10)
    >>> epochs_of_draft(100, layers=1e6, products=0)
    1
    """
    return min(max_iter, max(FEWEST, int(MAX_PRODUCTS / (CALL * layers + products))))


def shortened(
    steps: Sequence[Any], n_steps: int, end: Callable[[Any], Any]
) -> tuple[Any, ...] | None:
    """Return the steps of a run among those of one that learns for more epochs.

    Parameters
    ----------
    steps : sequence
        Those of the longer run, so far.
    n_steps : int
        How many the shorter one has, unless it ends by itself before, apart from its last, "done".
    end : callable
        Returns that last step from the one before.

    Returns
    -------
    tuple or None
        None if the longer run has not come so far.
    """
    ended = bool(steps) and steps[-1].phase == "done"
    if len(steps) - ended >= n_steps:
        return (*steps[:n_steps], end(steps[n_steps - 1]))
    return tuple(steps) if ended else None
