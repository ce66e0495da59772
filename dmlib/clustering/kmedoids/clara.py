"""CLARA: k-medoids of samples, each judged by all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centroids import Labels
from dmlib.clustering.kmedoids.medoids import Indices, distances_between

Phase = Literal["sample", "done"]


@dataclass(frozen=True)
class CLARAStep:
    """One sample of CLARA, or its end.

    Attributes
    ----------
    phase : {"sample", "done"}
        What was done.
    iteration : int
        Which sample, from 1; on "done" how many, as ``n_iter_``.
    sample : ndarray of shape (n_sampled,)
        The rows drawn; empty on "done".
    medoids : ndarray of shape (n_clusters,)
        The medoids of the sample; on "done" those that are kept.
    labels : ndarray of shape (n_samples,)
        The nearest of these medoids for every row.
    distances : ndarray of shape (n_samples,)
        The distance to it.
    total : float
        The sum of these distances, over all rows.
    sample_total : float
        Over the rows of the sample; on "done" 0.
    best : float
        The smallest total so far.
    """

    phase: Phase
    iteration: int
    sample: Indices
    medoids: Indices
    labels: Labels
    distances: Floats
    total: float
    sample_total: float
    best: float


def sampled_steps(
    X: Floats,
    metric: Any,
    size: int,
    n_samples: int,
    rng: Any,
    medoids_of: Callable[[Floats], tuple[Indices, float]],
) -> Iterator[CLARAStep]:
    """Yield one step for each sample, and one for the end.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows.
    metric : str or callable
        The distance.
    size, n_samples : int
        How many rows a sample has, and how many samples there are.
    rng : RandomState
        It draws the samples. From the second on, the best medoids so far belong to the sample.
    medoids_of : callable
        From the rows of a sample to its medoids, as indices, and its total deviation.
    """
    best: CLARAStep | None = None
    for iteration in range(1, n_samples + 1):
        best_medoids = np.empty(0, np.intp) if best is None else best.medoids
        sample = _draw(rng, len(X), min(size, len(X)), best_medoids)
        medoids, total = medoids_of(X[sample])
        step = _judged(X, metric, iteration, sample, sample[medoids], total)
        if best is None or step.total < best.total:
            best = step
        yield replace(step, best=best.total)
    assert best is not None  # there is at least one sample
    yield replace(
        best, phase="done", iteration=iteration, sample=best_medoids[:0], sample_total=0.0
    )


def _judged(
    X: Floats, metric: Any, iteration: int, sample: Indices, medoids: Indices, inside: float
) -> CLARAStep:
    """Assign all rows to the medoids of a sample."""
    to = distances_between(X, X[medoids], metric)
    labels = to.argmin(axis=1)
    labels[medoids] = np.arange(len(medoids))
    distances = to[np.arange(len(X)), labels]
    total = float(distances.sum())
    return CLARAStep(
        "sample",
        iteration,
        sample,
        medoids,
        labels.astype(np.int32),
        distances,
        total,
        inside,
        total,
    )


def _draw(rng: Any, n_samples: int, size: int, best_medoids: Indices) -> Indices:
    """Draw rows that are not among those that are kept, in ascending order, and add these."""
    candidates = np.setdiff1d(np.arange(n_samples), best_medoids)
    return np.sort(
        np.append(
            best_medoids, rng.choice(candidates, max(0, size - len(best_medoids)), replace=False)
        )
    ).astype(np.intp)
