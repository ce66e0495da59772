"""Questions about kernel k-means: distances in feature space, and the rows that they move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.kernel_kmeans.algorithm import KernelKMeans
from dmlib.clustering.kernel_kmeans.feature_space import FeatureSpace
from dmlib.clustering.kernel_kmeans.fuzzy_questions import fuzzy_questions
from dmlib.clustering.kernel_kmeans.kernel_lloyd import KernelKMeansStep
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

MAX_STEPS = 60  # that are asked about
MAX_ROWS = 600
MAX_CLUSTERS = 4  # whose similarities are told
MAX_MEMBERS = 3  # whose pairs are told
CLEAR = 0.02  # difference of two squared distances that numbers of four digits show


class Rule(Misconception):
    """Wrong rules of kernel k-means."""

    SIMILAR = "Only the similarity to a cluster counts, not that of its rows to each other."
    INPUT = "A row joins the centre that is nearest in the plane of the data."
    PAIRS = "The mean within a cluster is over pairs of different rows."
    KEEP = "A row stays in its first cluster."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of kernel k-means or fuzzy c-means answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.KernelKMeans` or :class:`dmlib.clustering.FuzzyCMeans`.

    Yields
    ------
    Question
        Before each assignment and update of the restart that is shown.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KernelKMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 4.0, 9.0, 10.0]}), ["a"])
    >>> model = KernelKMeans(2, init=[0, 1, 0, 1, 0], gamma=0.05)
    >>> [question.topic for question in questions(Run.of(problem, model))][:3]
    ['distance', 'assignment', 'nearest centre']
    """
    if not isinstance(run.model, KernelKMeans):
        yield from fuzzy_questions(run)
        return
    steps = run.trace.steps
    if not steps or len(run.problem.X) > MAX_ROWS:
        return
    asker = _Asker(run)
    numbers = [i for i in range(1, len(steps)) if steps[i].restart == steps[-1].restart]
    for number in numbers[:MAX_STEPS]:
        step, before = steps[number], steps[number - 1]
        if step.phase == "assign":
            yield from asker.distance(number, step, before)
            if before.labels is not None:
                yield asker.changes(number, step, before)
            yield from asker.nearest(number, step)
        elif step.phase == "update":
            yield from asker.within(number, step)


class _Asker:
    """The questions about one run."""

    def __init__(self, run: Run[Problem, KernelKMeans]) -> None:
        self.problem = run.problem
        self.is_plain = run.model.weighting == "none"
        self.space: FeatureSpace = run.once(
            "feature space", lambda: run.model.feature_space(run.problem.X)
        )

    def name(self, row: int | np.integer[Any]) -> int:
        """Return the number of a row as the picture has it."""
        return int(self.problem.rows[row]) + 1

    def within(self, number: int, step: KernelKMeansStep) -> Iterator[Question]:
        """Ask for the squared length of a mean, from the kernel of its pairs."""
        if step.labels is None or not self.is_plain:
            return
        for cluster in np.argsort(-step.counts, kind="stable").tolist():
            members = np.flatnonzero(step.labels == cluster)
            if not 1 < len(members) <= MAX_MEMBERS:
                continue
            i, j = np.triu_indices(len(members), 1)
            pairs = self.space.K[members[i], members[j]]
            own = self.space.K[members, members]
            value, n = float(step.distances.within[cluster]), len(members)
            listing = ", ".join(
                f"k({self.name(members[a])}, {self.name(members[b])}) = {num4(k)}"
                for a, b, k in zip(i, j, pairs, strict=True)
            )
            diagonal = ", ".join(
                f"k({self.name(m)}, {self.name(m)}) = {num4(k)}"
                for m, k in zip(members, own, strict=True)
            )
            yield Question(
                number,
                "within",
                f"Cluster {cluster + 1} has {n} rows, with {diagonal} and {listing}. What is the "
                "mean of k over all pairs of its rows, the squared length of its centre?",
                Value(value, 0.01 * abs(value)),
                f"({num4(own.sum())} + 2 · {signed(float(pairs.sum()), 4)}) / {n}² = "
                f"{num4(value)}.",
                (Wrong(Rule.PAIRS, float(pairs.mean())),),
                "The double sum goes over n · n pairs: each row with itself, and each pair twice.",
                about=[self.name(row) for row in members],
            )
            return

    def distance(
        self, number: int, step: KernelKMeansStep, before: KernelKMeansStep
    ) -> Iterator[Question]:
        """Ask for a squared distance, from its three terms."""
        if not self.is_plain or before.labels is None:
            return
        distances = step.distances
        means = _means(self.problem.X, before.labels, step.centers.shape[1])
        squares = distances.squared
        cluster = int(np.where(before.counts > 1, distances.within, np.inf).argmin())
        order = np.argsort(distances.cross[:, cluster], kind="stable")
        row = int(order[len(order) // 2])
        own, cross, within = (
            float(each)
            for each in (
                distances.own[row],
                distances.cross[row, cluster],
                distances.within[cluster],
            )
        )
        square = float(squares[row, cluster])
        plane = float(((self.problem.X[row] - means[cluster]) ** 2).sum())
        name = self.name(row)
        yield Question(
            number,
            "distance",
            f"Row {name} has k(x, x) = {num4(own)}; k has the mean {num4(cross)} between it and "
            f"the rows of cluster {cluster + 1}, and {num4(within)} over all pairs of that "
            "cluster. What is its squared distance from the centre in feature space?",
            Value(square, 0.01 * max(square, 0.1)),
            f"{num4(own)} − 2 · {signed(cross, 4)} + {num4(within)} = {num4(square)}.",
            (Wrong(Rule.SIMILAR, own - 2 * cross), Wrong(Rule.INPUT, plane)),
            "Expand the square of the difference of two vectors, with k for their products.",
            hides=("Raster",),
            about=[name],
        )

    def nearest(self, number: int, step: KernelKMeansStep) -> Iterator[Question]:
        """Ask which cluster a row joins at which the wrong rules differ."""
        k, squares = step.centers.shape[1], step.distances.squared
        if not 1 < k <= MAX_CLUSTERS or step.labels is None:
            return
        two = np.sort(squares, axis=1)[:, :2]
        is_clear = two[:, 1] - two[:, 0] > CLEAR * np.abs(step.distances.own)
        similar = step.distances.cross.argmax(axis=1)
        telling = is_clear & (similar != step.labels)
        if not (telling.any() or is_clear.any()):
            return
        row = int((telling if telling.any() else is_clear).argmax())
        name, right = self.name(row), int(step.labels[row])
        terms = step.distances.within - 2 * step.distances.cross[row]
        yield Question(
            number,
            "nearest centre",
            f"k has the mean {_listing(step.distances.cross[row])} between row {name} and clusters "
            f"1 to {k}, and {_listing(step.distances.within)} within these clusters. Which one "
            "does it join?",
            Option([f"cluster {j + 1}" for j in range(k)], [right]),
            f"Mean within − 2 · mean to it: {_listing(terms)}; cluster {right + 1} has the least.",
            (Wrong(Rule.SIMILAR, int(similar[row])),),
            "k(x, x) is the same for all clusters; the other two terms of the distance decide.",
            hides=("Raster",),
            about=[name],
        )

    def changes(self, number: int, step: KernelKMeansStep, before: KernelKMeansStep) -> Question:
        """Ask which rows change their cluster."""
        assert step.labels is not None
        assert before.labels is not None
        changed = np.flatnonzero(step.labels != before.labels)
        means = _means(self.problem.X, before.labels, step.centers.shape[1])
        squares = ((self.problem.X[:, None] - means) ** 2).sum(axis=2)
        followers = np.flatnonzero(squares.argmin(axis=1) != before.labels)
        proof = "In feature space, every row is nearest to the centre of its own cluster already."
        if len(changed):
            row = int(changed[0])
            old, new = int(before.labels[row]), int(step.labels[row])
            d = step.distances.squared[row]
            proof = (
                f"Row {self.name(row)} has the squared distance {num4(d[new])} from centre "
                f"{new + 1}, and {num4(d[old])} from centre {old + 1}, in feature space."
            )
        return Question(
            number,
            "assignment",
            "The centres have moved in feature space. Which rows change their cluster now?",
            Pick("row", [[self.name(row) for row in changed]], several=True),
            proof,
            (Wrong(Rule.KEEP, []), Wrong(Rule.INPUT, [self.name(row) for row in followers])),
            "Rows that are similar to each other, in a chain or a ring, tend to stay together.",
            hides=("Raster",),
        )


def _means(X: Floats, labels: NDArray[Any], k: int) -> Floats:
    """Return the means of clusters in the plane of the data; of an empty one, far away."""
    far = np.full(X.shape[1], np.inf)
    return np.array([X[labels == j].mean(axis=0) if (labels == j).any() else far for j in range(k)])


def _listing(values: Floats) -> str:
    *first, last = (num4(value) for value in values)
    return f"{', '.join(first)} and {last}"
