"""Lloyd's alternation in a feature space: the starts of kernel k-means, and its two half-steps."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.clustering.kernel_kmeans.feature_space import Distances, FeatureSpace, Labels
from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.trace import look

RANDOM_STARTS = ("k-means++", "random")
ROUNDING = 1e-12  # of the largest k(x, x): up to here a distance is 0

Steps = Generator["KernelKMeansStep", None, Floats]

Phase = Literal["seed", "assign", "update", "done", "best"]


@dataclass(frozen=True)
class KernelKMeansStep:
    """One step of kernel k-means.

    Attributes
    ----------
    phase : {"seed", "assign", "update", "done", "best"}
        What was done: one starting centre chosen, or all of them by the eigenvectors; rows
        assigned; centres moved; a restart ended; the best restart chosen (only with more than one
        restart).
    restart : int
        The restart, from 0.
    iteration : int
        The iteration, from 1; 0 while seeding. On "done" and "best" the number of iterations, as
        ``n_iter_``.
    centers : ndarray of shape (n_samples, n_chosen)
        The coefficients of the centres: centre j is the sum of ``centers[i, j]`` times row i in
        feature space.
    labels : ndarray of shape (n_samples,) or None
        The cluster of each row; None while rows are drawn.
    inertia : float
        The weighted sum of squared distances (SSE) of the rows to their centres in feature space;
        NaN while rows are drawn.
    counts : ndarray of shape (n_clusters,)
        The sizes of the clusters; zeros while rows are drawn.
    distances : Distances
        The three terms of the squared distances of all rows to the centres.
    n_changed : int
        How many labels an "assign" changed; all of them in the first.
    relocated : tuple of (int, int)
        The empty clusters that an "update" filled, each with the row that became its centre.
    chosen : int or None
        The row that a "seed" took as a centre.
    nearest : ndarray of shape (n_samples,) or None
        For a "seed" of "k-means++", the squared distance of each row to the nearest of the centres
        before it, times the row's weight; None for the first.
    reason : str
        On "done" and "best": why the restart ended, as a sentence.
    """

    phase: Phase
    restart: int
    iteration: int
    centers: Floats
    labels: Labels | None
    inertia: float
    counts: NDArray[np.intp]
    distances: Distances
    n_changed: int = 0
    relocated: tuple[tuple[int, int], ...] = ()
    chosen: int | None = None
    nearest: Floats | None = None
    reason: str = ""


def drawn_rows(space: FeatureSpace, k: int, init: str, rng: Any, restart: int) -> Steps:
    """Yield rows as the first centres, one a step; return the coefficients of all."""
    n = len(space.K)
    centers, counts = np.zeros((n, k)), np.zeros(k, np.intp)
    for j, (row, nearest) in enumerate(_choose(space, k, init, rng)):
        centers = centers.copy()
        centers[row, j] = 1.0
        so_far = centers[:, : j + 1]
        details: dict[str, Any] = {"chosen": row, "nearest": nearest}
        yield KernelKMeansStep(
            "seed", restart, 0, so_far, None, np.nan, counts, space.distances(so_far), **details
        )
    return centers


def first_clusters(space: FeatureSpace, k: int, labels: Labels) -> Steps:
    """Yield the means of given clusters as the first centres; return their coefficients."""
    centers = space.means(labels, k)
    distances = space.distances(centers)
    yield _record("seed", 0, 0, space, centers, distances, labels)
    return centers


def relaxed_clusters(space: FeatureSpace, k: int, rng: Any) -> Labels:
    """Cluster the rows of the k largest eigenvectors, scaled to length 1, by k-means."""
    _, vectors = space.relaxation(k)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1.0)
    try:
        return KMeans(k, n_init=10, random_state=rng).fit(unit).labels_
    except ValueError:  # fewer distinct directions than clusters
        raise too_few_apart(k) from None


def checked_clusters(labels: ArrayLike, n_samples: int, k: int) -> Labels:
    """Return given clusters.

    Raises
    ------
    ValueError
        If they are not the numbers 0 to k - 1 with a row in each.
    """
    codes = np.asarray(labels)
    if codes.shape != (n_samples,) or sorted(set(codes.tolist())) != list(range(k)):
        raise ValueError(
            f"The first clusters must be the numbers 0 to {k - 1}, "
            f"each at least once, one for each of the {n_samples} rows."
        )
    return codes.astype(np.int32)


def lloyd(
    space: FeatureSpace, centers: Floats, max_iter: int, restart: int
) -> Generator[KernelKMeansStep, None, KernelKMeansStep]:
    """Alternate the two half-steps until no label changes, or the limit is reached."""
    k = centers.shape[1]
    reason = f"The limit of {max_iter} iterations was reached."
    labels = np.full(len(space.K), -1, np.int32)
    relocated: tuple[tuple[int, int], ...] = ()
    distances = space.distances(centers)
    for iteration in range(1, max_iter + 1):
        look()
        labels, n_changed = _assigned(distances, labels)
        assigned = _record(
            "assign", restart, iteration, space, centers, distances, labels, n_changed=n_changed
        )
        yield assigned
        if not (n_changed or relocated) and assigned.counts.all():
            reason = "No label changed."
            break
        labels, relocated = _filled(distances, labels, assigned.counts)
        centers = space.means(labels, k)
        distances = space.distances(centers)
        yield _record(
            "update", restart, iteration, space, centers, distances, labels, relocated=relocated
        )
    if n_changed or relocated:  # the centres have moved since, and the labels must be theirs
        labels, n_changed = _assigned(distances, labels)
        yield _record(
            "assign", restart, iteration + 1, space, centers, distances, labels, n_changed=n_changed
        )
    done = _record("done", restart, iteration, space, centers, distances, labels, reason=reason)
    yield done
    return done


def best_restart(
    space: FeatureSpace, starts: Iterator[Steps], n_restarts: int, max_iter: int
) -> Iterator[Any]:
    """Run Lloyd's alternation from each start; end with the best of several."""
    best: KernelKMeansStep | None = None
    for restart, start in enumerate(starts):
        centers = yield from start
        done = yield from lloyd(space, centers, max_iter, restart)
        if best is None or done.inertia < best.inertia:
            best = done
    if n_restarts > 1 and best is not None:
        yield replace(best, phase="best")


def too_few_apart(n_clusters: int) -> ValueError:
    """Return the error for data with fewer rows that differ in feature space than clusters."""
    return ValueError(
        f"n_clusters={n_clusters} needs at least as many rows that differ in "
        "the kernel's feature space. Choose fewer clusters, or another kernel."
    )


def _choose(
    space: FeatureSpace, k: int, init: str, rng: Any
) -> Iterator[tuple[int, Floats | None]]:
    """Yield the rows that become centres, with the weighted squared distances that decided."""
    n = len(space.K)
    if init == "random":
        yield from ((int(row), None) for row in rng.choice(n, k, replace=False))
        return
    row = int(rng.choice(n, p=space.weights / space.weights.sum()))
    yield row, None
    squares = space.to_row(row)
    for _ in range(1, k):
        look()
        squares = np.where(squares > ROUNDING * space.K.diagonal().max(), squares, 0.0)
        nearest = squares * space.weights
        if not nearest.any():
            raise too_few_apart(k)
        row = int(rng.choice(n, p=nearest / nearest.sum()))
        yield row, nearest
        squares = np.minimum(squares, space.to_row(row))


def _record(
    phase: Phase,
    restart: int,
    iteration: int,
    space: FeatureSpace,
    centers: Floats,
    distances: Distances,
    labels: Labels,
    **details: Any,
) -> KernelKMeansStep:
    counts = np.bincount(labels, minlength=centers.shape[1])
    sse = float(space.weights @ distances.to(labels))
    return KernelKMeansStep(
        phase, restart, iteration, centers, labels, sse, counts, distances, **details
    )


def _assigned(distances: Distances, before: Labels) -> tuple[Labels, int]:
    """Return the nearest centre of each row, the first of ties, and how many rows change."""
    squares = distances.squared
    tie = ROUNDING * float(np.abs(distances.own).max())
    labels = (squares <= squares.min(axis=1, keepdims=True) + tie).argmax(axis=1).astype(np.int32)
    return labels, int((labels != before).sum())


def _filled(
    distances: Distances, labels: Labels, counts: NDArray[np.intp]
) -> tuple[Labels, tuple[tuple[int, int], ...]]:
    """Give each empty cluster the row that is farthest from its centre."""
    empty = np.flatnonzero(counts == 0)
    if not empty.size:
        return labels, ()
    squares = distances.to(labels)
    far = np.argsort(-squares, kind="stable")[: empty.size]
    if squares[far].min() <= ROUNDING * float(np.abs(distances.own).max()):
        raise too_few_apart(len(counts))
    labels = labels.copy()
    labels[far] = empty
    return labels, tuple(zip(empty.tolist(), far.tolist(), strict=True))
