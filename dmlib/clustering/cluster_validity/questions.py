"""Questions about cluster validity: silhouettes of rows, and how parts make a measure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import ClusterValidity, ValidityStep
from dmlib.clustering.cluster_validity.internal import silhouettes
from dmlib.clustering.cluster_validity.measure_questions import of_other_measures
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

MAX_ROWS = 1000  # whose distances to each other are measured again
MAX_CLUSTERS = 4  # whose distances are told
MAX_LISTED = 5  # distances that are told one by one
MAX_CHOICES = 12  # rows of a cluster among which one is picked


class Rule(Misconception):
    """Wrong rules of the silhouette."""

    SELF = "The row itself counts in the mean distance a to its cluster."
    OTHERS = "b is the mean distance to all rows of other clusters."
    DIFFERENCE = "The silhouette is the difference b − a."
    OUTER = "The row farthest from the centre of its cluster has the smallest silhouette."
    CLUSTERS = "Every cluster counts the same, whatever its size."


def questions(run: Run[Problem, ClusterValidity]) -> Iterator[Question]:
    """Yield the questions that the steps of a measure answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.ClusterValidity`.

    Yields
    ------
    Question
        Before each part of a silhouette, and before the parts of a measure are put together.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import ClusterValidity
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 3.0, 10.0, 11.0]}), ["a"])
    >>> run = Run.of(problem, ClusterValidity("kmeans", 2, random_state=0))
    >>> sorted({question.topic for question in questions(run)})
    ['mean silhouette', 'silhouette', 'smallest silhouette']
    """
    steps = run.trace.steps
    if not steps or steps[-1].phase != "done" or steps[-1].reason:
        return
    if steps[-1].measure != "silhouette":
        yield from of_other_measures(run, Rule.CLUSTERS)
        return
    if len(run.problem.X) > MAX_ROWS:
        return
    silhouette = _Silhouettes(run.problem, steps[-1])
    for number, step in enumerate(steps):
        if step.phase == "part":
            yield from silhouette.of_row(number, step)
            yield from silhouette.smallest(number, step)
        elif step.phase == "combine":
            yield _mean(number, step)


class _Silhouettes:
    """The silhouettes of the rows that are in clusters, and their distances."""

    def __init__(self, problem: Problem, end: ValidityStep) -> None:
        self.problem = problem
        self.rows = np.flatnonzero(end.labels >= 0)
        self.codes = np.unique(end.labels[self.rows], return_inverse=True)[1].astype(np.intp)
        self.D = cdist(problem.X[self.rows], problem.X[self.rows])
        self.a, self.b, self.s = silhouettes(self.codes, self.D)
        members = np.eye(self.codes.max() + 1)[self.codes]
        self.sizes = members.sum(axis=0)
        self.means: Floats = self.D @ members / self.sizes
        own = self.sizes[self.codes]
        with np.errstate(divide="ignore", invalid="ignore"):
            total = self.D.sum(axis=1) - self.a * (own - 1)
            self.others: Floats = total / (len(self.rows) - own)

    def name(self, at: int) -> int:
        """Return the number of a row as the picture has it."""
        return int(self.problem.rows[self.rows[at]]) + 1

    def members(self, step: ValidityStep) -> NDArray[np.intp]:
        """Return the rows of the cluster whose part a step computes."""
        return np.flatnonzero(self.codes == (step.term.index if step.term else -1))

    def of_row(self, number: int, step: ValidityStep) -> Iterator[Question]:
        """Ask for the silhouette of a row at which the wrong rules are far from right."""
        members, k = self.members(step), len(self.sizes)
        if len(members) < 2 or k > MAX_CLUSTERS:
            return
        with_itself = self.means[members, self.codes[members]]
        worth = np.abs(_silhouette(with_itself, self.b[members]) - self.s[members])
        worth += np.abs(_silhouette(self.a[members], self.others[members]) - self.s[members])
        at = int(members[worth.argmax()])
        cluster, a, b, s = self.codes[at], float(self.a[at]), float(self.b[at]), float(self.s[at])
        distances = np.delete(self.D[at, members], list(members).index(at))
        told = f"on average {num4(a)} from the other {len(distances)} rows of its cluster"
        if len(distances) <= MAX_LISTED:
            told = f"{', '.join(map(num4, distances))} from the other rows of its cluster"
        others = [
            f"{num4(self.means[at, j])} from the {self.sizes[j]:.0f} rows of cluster "
            f"{step.names[j] + 1}"
            for j in range(k)
            if j != cluster
        ]
        own = float(self.means[at, cluster])
        yield Question(
            number,
            "silhouette",
            f"Row {self.name(at)} is {told}, and on average {', '.join(others)}. What is its "
            "silhouette?",
            Value(s, 0.01),
            f"a = {num4(a)} and b = {num4(b)}: ({num4(b)} − {num4(a)}) / {num4(max(a, b))} = "
            f"{num4(s)}.",
            (
                Wrong(Rule.SELF, float(_silhouette(own, b))),
                Wrong(Rule.OTHERS, float(_silhouette(a, self.others[at]))),
                Wrong(Rule.DIFFERENCE, b - a),
            ),
            "s = (b − a) / max(a, b), with b the mean distance to the nearest other cluster.",
            about=[self.name(at)],
        )

    def smallest(self, number: int, step: ValidityStep) -> Iterator[Question]:
        """Ask which row of a cluster has the smallest silhouette."""
        members = self.members(step)
        if not 2 < len(members) <= MAX_CHOICES:
            return
        s = self.s[members]
        ties = members[np.isclose(s, s.min(), rtol=0, atol=1e-9)]
        X = self.problem.X[self.rows[members]]
        outer = int(members[np.linalg.norm(X - X.mean(axis=0), axis=1).argmax()])
        low, mean = int(ties[0]), num4
        proof = f"Row {self.name(low)} has a = {mean(self.a[low])}, b = {mean(self.b[low])}"
        proof += f" and s = {mean(self.s[low])}"
        if outer not in ties:
            proof += f"; row {self.name(outer)} has b = {mean(self.b[outer])} and s = "
            proof += mean(self.s[outer])
        yield Question(
            number,
            "smallest silhouette",
            f"Which row of cluster {step.names[self.codes[low]] + 1} has the smallest silhouette?",
            Pick("row", [[self.name(row)] for row in ties], [self.name(row) for row in members]),
            f"{proof}.",
            (Wrong(Rule.OUTER, [self.name(outer)]),),
            "Far from its own rows, and near to those of another cluster.",
            "Several rows have the same silhouette." if len(ties) > 1 else "",
        )


def _mean(number: int, step: ValidityStep) -> Question:
    sizes, means = (np.array([t.values[i] for t in step.parts.terms]) for i in (0, 3))
    terms = [f"{n:.0f} · {signed(s, 4)}" for n, s in zip(sizes, means, strict=True)]
    return Question(
        number,
        "mean silhouette",
        f"The clusters have {_listing(sizes)} rows, with the mean silhouettes {_listing(means)}. "
        "What is the silhouette of the clustering?",
        Value(step.value, 0.005),
        f"({' + '.join(terms)}) / {sizes.sum():.0f} = {num4(step.value)}.",
        (Wrong(Rule.CLUSTERS, float(means.mean())),),
        "It is the mean over all rows.",
        hides=("Rects", "Texts"),
    )


def _silhouette(a: Floats | float, b: Floats | float) -> Floats:
    top = np.maximum(a, b)
    return np.asarray(np.subtract(b, a) / np.where(top > 0, top, 1.0))


def _listing(values: Floats) -> str:
    *first, last = (num4(value) for value in values)
    return f"{', '.join(first)} and {last}" if first else last
