"""Questions about hierarchical clustering: the next merge, new distances, and the dendrogram."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import cophenet
from scipy.spatial.distance import squareform

from dmlib.arrays import Floats
from dmlib.clustering.dendrogram_scene import layout
from dmlib.clustering.hierarchical.agglomerative_scene import dendrogram_of, tree_panel
from dmlib.clustering.hierarchical.dendrogram import clusters_below
from dmlib.clustering.hierarchical.divisive import DivisiveClustering
from dmlib.clustering.hierarchical.divisive_questions import split_questions
from dmlib.clustering.hierarchical.ledger import Dendrogram
from dmlib.pictures.answers import REACH, Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_ROWS = 200  # among more, nobody finds a row
MAX_ASKED = 9  # merges, the last ones
N_CUTS = 2  # heights that are asked about
TIE = 1e-9  # distances that differ by less, relatively, are equal

Rows = NDArray[np.intp]


class Rule(Misconception):
    """Wrong rules of hierarchical clustering."""

    NEAREST = "Two clusters are as far apart as their two nearest rows."
    FARTHEST = "Two clusters are as far apart as their two farthest rows."
    HALVES = "The new distance is the mean of the two old ones, whatever the sizes."
    ONCE = "A row that is in a cluster does not merge again."
    ABOVE = "A cut leaves as many clusters as there are merges above it."
    DISTANCE = "Two rows come together at the height of their own distance."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of agglomerative or divisive clustering answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.AgglomerativeClustering` or
        :class:`dmlib.clustering.DivisiveClustering`.

    Yields
    ------
    Question
        Before merges, and before the cut.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import AgglomerativeClustering
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 5.0, 7.5]}), ["a"])
    >>> asked = questions(Run.of(problem, AgglomerativeClustering(2, linkage="average")))
    >>> [question.topic for question in asked]
    ['new distance', 'merge', 'cut', 'cut']
    """
    steps = run.trace.steps
    if isinstance(run.model, DivisiveClustering):
        yield from split_questions(run)
        return
    if not steps or steps[-1].phase != "cut" or not 3 < len(run.problem.X) <= MAX_ROWS:
        return
    dendrogram = dendrogram_of(run)
    D = squareform(steps[0].distances)
    for number in range(max(1, len(steps) - 1 - MAX_ASKED), len(steps) - 2):
        if number % 2 and run.model.linkage in ("single", "complete", "average"):
            yield _new_distance(dendrogram, number)
        elif number > 1:
            yield _merge(dendrogram, number, D)
    yield from _cuts(dendrogram)
    yield from _joint_height(dendrogram, D)


def _merge(dendrogram: Dendrogram, number: int, D: Floats) -> Question:
    step = dendrogram.steps[number]
    assert step.pair is not None
    members = _members(dendrogram, number - 1)
    pairs = [step.pair, *_tied_pairs(dendrogram, number, members, D)]
    first, second = (dendrogram.name(node) for node in step.pair)
    proof = f"{first.capitalize()} and {second} are {num4(step.height)} apart, the least of all."
    nodes, clusters = list(members), list(members.values())
    distances = _linkage(dendrogram, clusters, D)
    alone = [node for node in nodes if node < len(D)]
    answers = {
        Rule.NEAREST: _nearest_pair(nodes, _reduced(D, clusters, np.minimum)),
        Rule.FARTHEST: _nearest_pair(nodes, _reduced(D, clusters, np.maximum)),
    }
    if len(alone) > 1:
        answers[Rule.ONCE] = _nearest_pair(alone, D[np.ix_(alone, alone)])
    wrong = [
        Wrong(
            rule,
            _names(dendrogram, members, (i, j)),
            f"{dendrogram.name(i).capitalize()} and {dendrogram.name(j)} are "
            f"{num4(distances[nodes.index(i), nodes.index(j)])} apart by this linkage.",
        )
        for rule, (i, j) in answers.items()
    ]
    return Question(
        number,
        "merge",
        f"Linkage: {dendrogram.linkage}. Which rows are in the cluster that the next merge makes?",
        Pick("row", [_names(dendrogram, members, pair) for pair in pairs], several=True),
        proof,
        wrong,
        f"Compare the distances of all clusters, single rows included: {_meaning(dendrogram)}.",
        "Several pairs are equally near." if len(pairs) > 1 else "",
    )


def _new_distance(dendrogram: Dendrogram, number: int) -> Question:
    step, linkage = dendrogram.steps[number], dendrogram.linkage
    assert step.pair is not None
    assert step.before is not None
    assert step.after is not None
    assert step.remaining is not None
    differs = np.abs(step.before[0] - step.before[1])
    at = int(differs.argmax())
    (a, b), after = step.before[:, at].tolist(), float(step.after[at])
    first, second, other = (dendrogram.name(node) for node in (*step.pair, int(step.remaining[at])))
    n, m = step.sizes
    proof = f"{'min' if linkage == 'single' else 'max'}({num4(a)}, {num4(b)}) = {num4(after)}."
    if linkage == "average":
        proof = f"({n} · {num4(a)} + {m} · {num4(b)}) / {n + m} = {num4(after)}."
    return Question(
        number,
        "new distance",
        f"Linkage: {linkage}. {first.capitalize()} ({count(n, 'row', 'rows')}) and {second} "
        f"({count(m, 'row', 'rows')}) merge; they are {num4(a)} and {num4(b)} from {other}. How "
        f"far is the new cluster from {other}?",
        Value(after, 0.01 * after),
        proof,
        (
            Wrong(Rule.HALVES, (a + b) / 2),
            Wrong(Rule.NEAREST, min(a, b)),
            Wrong(Rule.FARTHEST, max(a, b)),
        ),
        f"The distance of two clusters: {_meaning(dendrogram)}.",
    )


def _cuts(dendrogram: Dendrogram) -> Iterator[Question]:
    heights = np.maximum.accumulate(dendrogram.tree[:, 2])
    gaps = np.diff(heights)
    wide = [i for i in np.argsort(-gaps, kind="stable") if gaps[i] > REACH * heights[-1]]
    for i in wide[:N_CUTS]:
        height = float(f"{(heights[i] + heights[i + 1]) / 2:.3g}")
        n_clusters = clusters_below(dendrogram.tree, height)
        n_below = len(heights) + 1 - n_clusters
        if not heights[i] < height < heights[i + 1]:
            continue
        yield Question(
            len(dendrogram.steps) - 1,
            "cut",
            f"How many clusters would a cut at the height {num4(height)} leave?",
            Value(n_clusters),
            f"{len(heights) + 1} rows less {count(n_below, 'merge', 'merges')} below "
            f"{num4(height)} are {count(n_clusters, 'cluster', 'clusters')}.",
            (Wrong(Rule.ABOVE, n_clusters - 1),),
            "Count the vertical lines that a horizontal line at this height crosses.",
        )


def _joint_height(dendrogram: Dendrogram, D: Floats) -> Iterator[Question]:
    joint = squareform(cophenet(dendrogram.tree))
    panel = tree_panel(dendrogram, layout(dendrogram.tree))
    gap = np.abs(joint - D) / panel.size[1]
    gap[(joint >= dendrogram.tree[-1, 2]) | (panel.y.high < D)] = 0.0
    i, j = (int(k) for k in np.unravel_index(gap.argmax(), gap.shape))
    if gap[i, j] <= REACH:
        return
    height, (a, b) = float(joint[i, j]), (dendrogram.problem.rows[[i, j]] + 1).tolist()
    yield Question(
        len(dendrogram.steps) - 1,
        "dendrogram",
        f"At which height do rows {a} and {b} come into the same cluster?",
        Place(panel, [(0.0, height)], form="y"),
        f"The lowest bracket above both lies at {num4(height)}; their own distance is "
        f"{num4(D[i, j])}.",
        (Wrong(Rule.DISTANCE, (0.0, float(D[i, j]))),),
        "Go up from both leaves until the lines meet.",
        about=[a, b],
    )


def _members(dendrogram: Dendrogram, n_merges: int) -> dict[int, Rows]:
    """Return the rows of each cluster after so many merges, by node."""
    n = len(dendrogram.problem.X)
    members = {i: np.array([i], np.intp) for i in range(n)}
    for m, (i, j) in enumerate(dendrogram.tree[:n_merges, :2].astype(int).tolist()):
        members[n + m] = np.concatenate([members.pop(i), members.pop(j)])
    return members


def _reduced(D: Floats, clusters: list[Rows], reduce: np.ufunc) -> Floats:
    """Return a distance of each two clusters, reduced from those of their rows."""
    starts = np.cumsum([0, *(len(each) for each in clusters[:-1])])
    order = np.concatenate(clusters)
    rows = reduce.reduceat(D[np.ix_(order, order)], starts, axis=0)
    reduced: Floats = reduce.reduceat(rows, starts, axis=1)
    return reduced


def _nearest_pair(nodes: list[int], D: Floats) -> tuple[int, int]:
    distances = D + np.diag(np.full(len(D), np.inf))
    i, j = np.unravel_index(distances.argmin(), distances.shape)
    return nodes[int(i)], nodes[int(j)]


def _tied_pairs(
    dendrogram: Dendrogram, number: int, members: dict[int, Rows], D: Floats
) -> list[tuple[int, int]]:
    """Return the other pairs that are as near as the one that merges."""
    step = dendrogram.steps[number]
    if not step.n_ties:
        return []
    nodes = list(members)
    distances = _linkage(dendrogram, list(members.values()), D)
    near = np.triu(distances <= step.height * (1 + TIE), 1)
    pairs = [(nodes[i], nodes[j]) for i, j in np.argwhere(near)]
    return [pair for pair in pairs if set(pair) != set(step.pair or ())]


def _linkage(dendrogram: Dendrogram, clusters: list[Rows], D: Floats) -> Floats:
    """Return the distances of clusters by the linkage of the run."""
    if dendrogram.linkage in ("single", "complete"):
        return _reduced(D, clusters, np.minimum if dendrogram.linkage == "single" else np.maximum)
    sizes = np.array([len(each) for each in clusters], float)
    if dendrogram.linkage == "average":
        return _reduced(D, clusters, np.add) / np.outer(sizes, sizes)
    X = dendrogram.problem.X
    centers = np.array([X[each].mean(axis=0) for each in clusters])
    distances: Floats = np.linalg.norm(centers[:, None] - centers, axis=2)
    if dendrogram.linkage == "centroid":
        return distances
    weights = 2 * np.outer(sizes, sizes) / np.add.outer(sizes, sizes)
    weighted: Floats = np.sqrt(weights) * distances
    return weighted


def _names(dendrogram: Dendrogram, members: dict[int, Rows], pair: tuple[int, int]) -> list[int]:
    rows = np.sort(np.concatenate([members[node] for node in pair]))
    names: list[int] = (dendrogram.problem.rows[rows] + 1).tolist()
    return names


def _meaning(dendrogram: Dendrogram) -> str:
    return {
        "single": "that of their nearest rows",
        "complete": "that of their farthest rows",
        "average": "the mean over all pairs of their rows",
        "centroid": "that of their means",
    }.get(dendrogram.linkage, "the larger, the more their merge adds to the SSE")
