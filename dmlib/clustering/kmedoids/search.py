"""The searches of k-medoids step by step: PAM, FasterPAM and alternation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centroids import Labels
from dmlib.clustering.kmedoids.medoids import Division, Indices, divide, swap_changes
from dmlib.trace import look

MAX_CANDIDATES = 8
MAX_AT_ONCE = 256  # rows that are evaluated together
MIN_DISTANCES = 2**13  # distances that are evaluated together: fewer take no less time
ROUNDING = 1e-12  # of the total deviation: what a swap must at least gain


class Candidate(NamedTuple):
    """A row that might become a medoid.

    Attributes
    ----------
    out : int
        The number of the medoid that it would replace; -1 while building.
    row : int
        The row.
    change : float
        By how much it would change the total deviation.
    """

    out: int
    row: int
    change: float


Phase = Literal["build", "evaluate", "swap", "assign", "update", "done"]


@dataclass(frozen=True)
class KMedoidsStep:
    """One step of k-medoids.

    Attributes
    ----------
    phase : {"build", "evaluate", "swap", "assign", "update", "done"}
        What was done: one starting medoid chosen; all swaps evaluated; one made; rows assigned;
        medoids moved to the best row of their cluster; the end.
    iteration : int
        The iteration, from 1; 0 while building. On "done" the number of iterations, as ``n_iter_``.
    medoids : ndarray of shape (n_medoids,)
        The medoids after the step: row numbers.
    labels : ndarray of shape (n_samples,)
        The cluster of each row.
    distances : ndarray of shape (n_samples,)
        Its distance to the medoid of its cluster.
    total : float
        The total deviation, the sum of these distances.
    candidates : tuple of Candidate
        The best of the candidates that were compared, the best first.
    n_candidates : int
        How many there were.
    chosen : Candidate or None
        What a "build" or a "swap" did.
    before : ndarray of shape (n_medoids,) or None
        The medoids that an "update" moved from, or the one that a "swap" replaced; None in the
        other phases.
    n_changed : int
        How many labels an "assign" changed.
    reason : str
        On "done": why the run ended, as a sentence.
    """

    phase: Phase
    iteration: int
    medoids: Indices
    labels: Labels
    distances: Floats
    total: float
    candidates: tuple[Candidate, ...] = ()
    n_candidates: int = 0
    chosen: Candidate | None = None
    before: Indices | None = None
    n_changed: int = 0
    reason: str = ""


def record(phase: Phase, iteration: int, division: Division, **details: Any) -> KMedoidsStep:
    """Return the step with the state of a division."""
    return KMedoidsStep(
        phase,
        iteration,
        division.medoids,
        division.labels,
        division.nearest,
        division.total,
        **details,
    )


def pam(D: Floats, division: Division, max_iter: int) -> Iterator[KMedoidsStep]:
    """Make the best swap until none lowers the total deviation."""
    n, k = len(D), len(division.medoids)
    reason, iteration = f"The limit of {max_iter} iterations was reached.", 0
    while iteration < max_iter:
        iteration += 1
        best = _best(swap_changes(D, division), np.arange(n))
        yield record("evaluate", iteration, division, candidates=best, n_candidates=k * (n - k))
        if not best or best[0].change >= -ROUNDING * division.total:
            reason = "No swap lowers the total deviation."
            break
        division, before = _swapped(D, division, best[0])
        yield record("swap", iteration, division, chosen=best[0], before=before)
    yield record("done", iteration, division, reason=reason)


def fasterpam(D: Floats, division: Division, max_iter: int) -> Iterator[KMedoidsStep]:
    """Go round the rows and make each swap that pays, until a round passes without one.

    Several rows are evaluated at once, the more the longer none was swapped; what follows the first
    swap is dropped.
    """
    n, iteration = len(D), 1
    row = since = 0  # the next row, and how many have passed since the last swap
    size = smallest = max(1, min(MAX_AT_ONCE, MIN_DISTANCES // n))
    while since < n:
        look()
        end = min(row + size, n, row + n - since)
        changes = swap_changes(D, division, slice(row, end))
        better = np.flatnonzero(changes.min(axis=0) < -ROUNDING * division.total)
        if better.size:
            at = int(better[0])
            best = _best(changes[:, [at]], np.array([row + at]))
            division, before = _swapped(D, division, best[0])
            details: dict[str, Any] = {"candidates": best, "n_candidates": len(division.medoids)}
            yield record("swap", iteration, division, chosen=best[0], before=before, **details)
            row, size = row + at + 1, smallest
            since = 0
        else:
            since += end - row
            row, size = end, min(2 * size, MAX_AT_ONCE)
        if row == n and since < n:
            if iteration == max_iter:
                yield record(
                    "done",
                    iteration,
                    division,
                    reason=f"The limit of {max_iter} iterations was reached.",
                )
                return
            row, iteration = 0, iteration + 1
    yield record("done", iteration, division, reason="No swap lowers the total deviation.")


def alternate(D: Floats, division: Division, max_iter: int) -> Iterator[KMedoidsStep]:
    """Assign the rows, and move each medoid to the most central row of its cluster."""
    reason = f"The limit of {max_iter} iterations was reached."
    iteration, n_changed = 0, len(D)
    while iteration < max_iter:
        iteration += 1
        yield record("assign", iteration, division, n_changed=n_changed)
        medoids = _best_of_clusters(D, division)
        if np.array_equal(medoids, division.medoids):
            reason = "No medoid moves."
            break
        distances = D[np.arange(len(D)), medoids[division.labels]]
        moved = Division(medoids, division.labels, distances, division.second)
        yield record("update", iteration, moved, before=division.medoids)
        division = divide(D, medoids)
        n_changed = int((division.labels != moved.labels).sum())
    yield record("done", iteration, division, reason=reason)


def _best(changes: Floats, rows: NDArray[np.intp]) -> tuple[Candidate, ...]:
    """Return the best swaps, the best first; ties by row, then by medoid."""
    flat = changes.T.ravel()
    n = min(MAX_CANDIDATES, int(np.isfinite(flat).sum()))
    if not n:
        return ()
    best = np.flatnonzero(flat <= np.partition(flat, n - 1)[n - 1])
    best = best[np.argsort(flat[best], kind="stable")][:n]
    k = len(changes)
    return tuple(Candidate(int(i % k), int(rows[i // k]), float(flat[i])) for i in best)


def _swapped(D: Floats, division: Division, swap: Candidate) -> tuple[Division, Indices]:
    """Make a swap; return also the medoid that went."""
    medoids = division.medoids.copy()
    medoids[swap.out] = swap.row
    return divide(D, medoids), division.medoids[[swap.out]]


def _best_of_clusters(D: Floats, division: Division) -> Indices:
    medoids = division.medoids.copy()
    for j, medoid in enumerate(medoids):
        look()
        members = np.flatnonzero(division.labels == j)
        sums = D[np.ix_(members, members)].sum(axis=0)
        best = int(members[sums.argmin()])
        if sums.min() < sums[members == medoid][0] * (1 - ROUNDING):
            medoids[j] = best
    return medoids
