"""Code books that move with every row that is drawn: for LVQ and the map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.codes import Shape, fidelity, nearest
from dmlib.clustering.vector_quantisation.algorithm import CodeBookStep
from dmlib.trace import look

MAX_RECORDED = 39  # updates that are steps of their own
BATCH = 256  # updates between two looks at the clock


@dataclass(frozen=True, kw_only=True)
class OnlineStep(CodeBookStep):
    """One step of a method that learns row by row.

    Attributes
    ----------
    row : int or None
        The row that was drawn.
    code : int or None
        The code nearest to it.
    rate : float
        The learning rate.
    width : float
        How far the neighbourhood reaches on the grid; 0 without one.
    before : ndarray of shape (n_codes, n_features) or None
        The code book before the update.
    """

    row: int | None = None
    code: int | None = None
    rate: float = 0.0
    width: float = 0.0
    before: Floats | None = None


def shown_updates(max_iter: int) -> frozenset[int]:
    """Return the updates, from 1, that are steps: the first ones, then ever fewer, and the last.

    Examples
    --------
    >>> sorted(shown_updates(3))
    [1, 2, 3]
    """
    return frozenset(
        np.unique(np.geomspace(1, max_iter, MAX_RECORDED).round().astype(int)).tolist()
    )


def draws(rng: Any, n_rows: int, max_iter: int) -> Iterator[tuple[int, int, float]]:
    """Yield the number of each update, from 1, its row, and the remaining fraction of the run."""
    rows = rng.randint(n_rows, size=max_iter).tolist()
    for t, row in enumerate(rows):
        if t % BATCH == 0:
            look()
        yield t + 1, row, 1 - t / max_iter


def nearest_code(codebook: Floats, x: Floats) -> int:
    """Return the code nearest to one row; ties go to the lower number."""
    away = codebook - x
    return int(np.einsum("ij,ij->i", away, away).argmin())


def ended(codebook: Floats, rows: Floats, shape: Shape, max_iter: int) -> OnlineStep:
    """Return the last step: all rows are coded."""
    labels = nearest(rows, codebook)
    return OnlineStep(
        phase="done",
        iteration=max_iter,
        codebook=codebook,
        labels=labels,
        reason=f"All {max_iter:,} updates are made.",
        **fidelity(rows, labels, codebook, shape)._asdict(),
    )


def distortion(rows: Floats, codebook: Floats, labels: Any) -> float:
    """Return the sum of squared distances of the rows to their codes."""
    return float(((rows - codebook[labels]) ** 2).sum())
