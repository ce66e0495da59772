"""The walk through the rows that gives OPTICS its order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.neighbors import Indices, Neighbors
from dmlib.trace import look

# To which distances are rounded, as scikit-learn does, so that rounding errors do not break ties
DECIMALS = 15
MIN_DIGITS = 9  # that are left of the largest distance


def _decimals(distances: Floats) -> int:
    """Return to how many decimals distances are rounded: more where they are all tiny."""
    largest = float(distances[np.isfinite(distances)].max(initial=0.0))
    if largest == 0:
        return DECIMALS
    return max(DECIMALS, MIN_DIGITS - int(np.floor(np.log10(largest))))


class Walk:
    """The rows in the making of their order.

    ``core_distances``, ``reachability`` and ``predecessor`` have one entry for each row,
    ``ordering`` one for each place; they are complete when ``run`` is.
    """

    def __init__(self, neighbors: Neighbors, min_samples: int, max_eps: float) -> None:
        self.neighbors = neighbors
        self.min_samples, self.max_eps = min_samples, max_eps
        kth = neighbors.kth(min_samples)
        # Before they are rounded: neighbours within max_eps are those of exact distances.
        kth[kth > max_eps] = np.inf
        self._decimals = _decimals(kth)
        self.core_distances = np.around(kth, self._decimals)
        n_samples = len(self.core_distances)
        self.reachability = np.full(n_samples, np.inf)
        self.predecessor = np.full(n_samples, -1)
        self.ordering = np.zeros(n_samples, np.intp)
        self._open = np.ones(n_samples, np.bool_)
        # The reachability of open rows; infinite for the others.
        self._waiting = self.reachability.copy()

    def run(self) -> Iterator[tuple[int, Indices, Floats]]:
        """Process the rows in turn; yield each, the updated rows, and their old distances."""
        for position in range(len(self.ordering)):
            look()
            row = int(self._waiting.argmin())
            if np.isinf(self._waiting[row]):
                row = int(self._open.argmax())
            self.ordering[position] = row
            self._open[row], self._waiting[row] = False, np.inf
            updated, reached = self._reach(row)
            before = self.reachability[updated]
            self.reachability[updated] = self._waiting[updated] = reached
            self.predecessor[updated] = row
            yield row, updated, before

    def _reach(self, row: int) -> tuple[Indices, Floats]:
        """Return the open rows that are reached more easily from this row, and their distances."""
        core_distance = self.core_distances[row]
        if np.isinf(core_distance):
            return np.empty(0, np.intp), np.empty(0)
        rows, distances = self.neighbors.within(row, self.max_eps)
        reached = np.around(np.maximum(distances, core_distance), self._decimals)
        better = np.flatnonzero(self._open[rows] & (reached < self.reachability[rows]))
        return rows[better], reached[better]
