"""The splits of divisive clustering: a splinter group grows, row by row, out of a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.dendrogram import Labels
from dmlib.trace import look

TIE = 1e-12  # of the diameter: a difference that is smaller is only rounding
DETAILED = 8  # splits, the first ones, of which each row that moves is a step

Rows = NDArray[np.intp]
Phase = Literal["distances", "splinter", "move", "split", "cut"]


@dataclass(frozen=True)
class DivisiveClusteringStep:
    """One step of divisive clustering.

    Attributes
    ----------
    phase : {"distances", "splinter", "move", "split", "cut"}
        What was done: all distances measured; a cluster chosen and its first row split off; one
        more row moved; a cluster split; the finished tree cut.
    n_clusters : int
        How many clusters there are after the step.
    split : int
        The number of the split, from 1; 0 on "distances" and "cut".
    members : ndarray of shape (n_members,) or None
        The rows of the cluster that is split.
    is_splinter : ndarray of shape (n_members,) or None
        Which of them are in the splinter group after the step.
    row : int or None
        On "splinter" and "move" the row that goes to the splinter group.
    to_remaining, to_splinter : ndarray of shape (n_members,) or None
        The mean distance of each row to the other remaining rows, and to the splinter group, before
        the step; on "split" those that end it. NaN where there is none.
    height : float
        The diameter of the cluster, the largest distance in it; NaN on "distances" and "cut".
    distances : ndarray of shape (n_samples * (n_samples - 1) / 2,) or None
        On "distances" the upper triangle of the distance matrix, row by row.
    tree : ndarray of shape (n_samples - 1, 4) or None
        On "cut" the splits, the last first, as merges in SciPy's format.
    labels : ndarray of shape (n_samples,) or None
        On "cut" the clusters.
    divisive_coefficient : float
        On "cut": the mean over the rows of 1 - h / H, where h is the height of the split that
        leaves the row alone and H that of the first; NaN where all rows are equal.
    cophenetic_correlation : float
        On "cut" how well the tree keeps the distances, from -1 to 1; NaN where one of the two does
        not vary.
    """

    phase: Phase
    n_clusters: int
    split: int = 0
    members: Rows | None = None
    is_splinter: NDArray[np.bool_] | None = None
    row: int | None = None
    to_remaining: Floats | None = None
    to_splinter: Floats | None = None
    height: float = np.nan
    distances: Floats | None = None
    tree: Floats | None = None
    labels: Labels | None = None
    divisive_coefficient: float = np.nan
    cophenetic_correlation: float = np.nan


def splits(D: Floats) -> Iterator[DivisiveClusteringStep]:
    """Yield the splits of a distance matrix of shape (n_samples, n_samples).

    Of the first splits each row that moves is a step of its own.

    Examples
    --------
    >>> D = np.abs(np.subtract.outer([0.0, 1.0, 5.0], [0.0, 1.0, 5.0]))
    >>> [(step.phase, step.row, step.height) for step in splits(D)][:2]
    [('splinter', 2, 5.0), ('split', None, 5.0)]
    """
    clusters = [np.arange(len(D))]
    diameters = [float(D.max())]
    for number in range(1, len(D)):
        look()
        widest = max(
            (k for k, rows in enumerate(clusters) if len(rows) > 1), key=lambda k: diameters[k]
        )
        members, height = clusters.pop(widest), diameters.pop(widest)
        step = None
        for step in _splintered(D[np.ix_(members, members)], members, number, height):
            if number <= DETAILED or step.phase == "split":
                yield step
        assert step is not None
        assert step.is_splinter is not None
        for part in (members[~step.is_splinter], members[step.is_splinter]):
            clusters.append(part)
            diameters.append(float(D[np.ix_(part, part)].max()))


def _splintered(
    D: Floats, members: Rows, number: int, height: float
) -> Iterator[DivisiveClusteringStep]:
    """Yield the steps that split one cluster, whose rows have the distances ``D``."""
    n = len(members)
    is_splinter = np.zeros(n, bool)
    # Of each row the sums of its distances to the remaining rows and to the splinter group.
    remaining, splinter = D.sum(axis=1), np.zeros(n)
    while True:
        n_splinter = int(is_splinter.sum())
        n_remaining = n - n_splinter
        to_remaining = np.where(is_splinter, np.nan, remaining / max(n_remaining - 1, 1))
        to_splinter = np.where(
            is_splinter | (n_splinter == 0), np.nan, splinter / max(n_splinter, 1)
        )
        advantage = to_remaining - np.nan_to_num(to_splinter)
        best = int(np.argmax(advantage >= np.nanmax(advantage) - TIE * height))  # the first of ties
        details: dict[str, Any] = {
            "members": members,
            "to_remaining": to_remaining,
            "to_splinter": to_splinter,
        }
        is_last = n_remaining == 1 or advantage[best] <= TIE * height
        if n_splinter and is_last:
            yield DivisiveClusteringStep(
                "split", number + 1, number, is_splinter=is_splinter, height=height, **details
            )
            return
        is_splinter = is_splinter.copy()
        is_splinter[best] = True
        remaining, splinter = remaining - D[best], splinter + D[best]
        yield DivisiveClusteringStep(
            "move" if n_splinter else "splinter",
            number,
            number,
            is_splinter=is_splinter,
            row=int(members[best]),
            height=height,
            **details,
        )


def tree_of_splits(steps: list[DivisiveClusteringStep]) -> Floats:
    """Return finished splits, the last first, as merges in SciPy's format.

    Examples
    --------
    >>> D = np.abs(np.subtract.outer([0.0, 1.0, 5.0], [0.0, 1.0, 5.0]))
    >>> tree_of_splits([step for step in splits(D) if step.phase == "split"]).tolist()
    [[0.0, 1.0, 1.0, 2.0], [2.0, 3.0, 5.0, 3.0]]
    """
    n_samples = len(steps) + 1
    top = np.arange(n_samples)
    tree = np.empty((len(steps), 4))
    for m, step in enumerate(reversed(steps)):
        assert step.members is not None
        assert step.is_splinter is not None
        first, second = sorted(
            int(top[part[0]])
            for part in (step.members[~step.is_splinter], step.members[step.is_splinter])
        )
        tree[m] = first, second, step.height, len(step.members)
        top[step.members] = n_samples + m
    return tree


def divisive_coefficient(tree: Floats) -> float:
    """Return the divisive coefficient of a tree in SciPy's format.

    References
    ----------
    L. Kaufman and P. J. Rousseeuw (1990), Finding groups in data, chapter 6.

    Examples
    --------
    >>> divisive_coefficient(np.array([[0, 1, 1.0, 2], [2, 3, 4.0, 3]]))
    0.5
    """
    n_samples, highest = len(tree) + 1, tree[-1, 2]
    is_leaf = tree[:, :2] < n_samples
    heights = np.repeat(tree[:, 2], is_leaf.sum(axis=1))
    return float(np.mean(1 - heights / highest)) if highest > 0 else float("nan")
