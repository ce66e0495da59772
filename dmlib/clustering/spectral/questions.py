"""Questions about spectral clustering: degrees, Laplacian, zero eigenvalues, and cuts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.spectral.algorithm import SpectralClustering, SpectralClusteringStep
from dmlib.clustering.spectral.edges_scene import SimilarityGraph
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4, upper_first
from dmlib.problem import GraphProblem, Problem

MAX_EDGES = 6  # of a row, that are told
N_ROWS = 2  # whose degrees are asked for
MAX_CUT = 8  # edges between clusters that a reader can count
MAX_CLUSTERS = 4  # of which sizes and volumes are told
MAX_PARTS = 8  # of a graph, that can be counted
MAX_ROWS = 400


class Rule(Misconception):
    """Wrong rules of spectral clustering."""

    COUNT = "A degree and a cut count edges, whatever their weights."
    PLAIN = "The entry of the Laplacian is minus the weight of the edge, whatever the degree."
    POSITIVE = "Rows that are joined have a positive entry in the Laplacian."
    ONE = "Exactly one eigenvalue of the Laplacian is 0."
    SIZES = "The normalised cut divides by the numbers of rows."


def questions(run: Run[Problem | GraphProblem, SpectralClustering]) -> Iterator[Question]:
    """Yield the questions that the steps of spectral clustering answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.SpectralClustering`.

    Yields
    ------
    Question
        Before the Laplacian, and before the cut is measured.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import SpectralClustering
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.1, 3.0, 4.2, 5.0]}), ["a"])
    >>> model = SpectralClustering(2, affinity="knn", n_neighbors=3, random_state=0)
    >>> [question.topic for question in questions(Run.of(problem, model))][:3]
    ['degree', 'degree', 'Laplacian']
    """
    steps = run.trace.steps
    if not steps or steps[-1].phase != "cut" or len(run.problem.rows) > MAX_ROWS:
        return
    end: SpectralClusteringStep = steps[-1]
    graph = SimilarityGraph(run.problem, end.affinity, _array(end.degrees), _array(end.components))
    laplacian = next(i for i, step in enumerate(steps) if step.phase == "laplacian")
    yield from _degree(run, graph, laplacian)
    yield from _entry(run, graph, laplacian)
    yield from _zeros(graph, laplacian, end)
    yield from _cut(run, graph, len(steps) - 1, end)
    yield from _normalised_cut(graph, len(steps) - 1, end)


def _degree(
    run: Run[Problem | GraphProblem, SpectralClustering], graph: SimilarityGraph, number: int
) -> Iterator[Question]:
    n_edges, total = _edge_counts(graph)
    is_short = (n_edges > 1) & (n_edges <= MAX_EDGES)
    is_short[list(_telling_edge(graph)[:2])] = False  # their degrees are told elsewhere
    if not is_short.any():
        return
    worth = np.where(is_short, np.abs(n_edges - total), -1.0)
    for row in np.argsort(-worth, kind="stable")[:N_ROWS].tolist():
        if is_short[row]:
            yield _degree_of(run, graph, number, row)


def _degree_of(
    run: Run[Problem | GraphProblem, SpectralClustering],
    graph: SimilarityGraph,
    number: int,
    row: int,
) -> Question:
    weights = graph.weights_of(row)
    ends = np.flatnonzero(weights > 0).tolist()
    degree = float(graph.degrees[row])
    told = ", ".join(f"{num4(weights[i])} to {graph.name(i)}" for i in ends)
    return Question(
        number,
        "degree",
        f"{upper_first(graph.name(row))} has edges of the weights {told}. What is its degree?",
        Value(degree, 0.005 * degree),
        f"{' + '.join(num4(weights[i]) for i in ends)} = {num4(degree)}.",
        (Wrong(Rule.COUNT, len(ends)),),
        "The matrix D has the row sums of W on its diagonal.",
        about=[int(run.problem.rows[row]) + 1],
    )


def _entry(
    run: Run[Problem | GraphProblem, SpectralClustering], graph: SimilarityGraph, number: int
) -> Iterator[Question]:
    i, j, w = _telling_edge(graph)
    d_i, d_j = float(graph.degrees[i]), float(graph.degrees[j])
    scale, product = d_i, num4(d_i)
    formula = {"symmetric": "I − D⁻½WD⁻½", "random_walk": "I − D⁻¹W"}.get(run.model.laplacian)
    if run.model.laplacian == "symmetric":
        scale, product = np.sqrt(d_i * d_j), f"√({num4(d_i)} · {num4(d_j)})"
    elif formula is None:
        scale, product, formula = 1.0, "1", "D − W"
    entry = -w / scale
    a, b = graph.number(i), graph.number(j)
    yield Question(
        number,
        "Laplacian",
        f"An edge of the weight {num4(w)} joins {graph.name(i)} (degree {num4(d_i)}) and "
        f"{graph.name(j)} (degree {num4(d_j)}). What is the entry of the Laplacian {formula} in "
        f"line {a} and column {b}?",
        Value(entry, 0.01 * abs(entry)),
        f"−{num4(w)} / {product} = {num4(entry)}.",
        (Wrong(Rule.PLAIN, -w), Wrong(Rule.POSITIVE, -entry)),
        "Off the diagonal, W is subtracted; the degrees may scale it.",
        about=[int(run.problem.rows[k]) + 1 for k in (i, j)],
    )


def _zeros(graph: SimilarityGraph, number: int, end: SpectralClusteringStep) -> Iterator[Question]:
    n_parts = graph.n_parts
    if n_parts > min(MAX_PARTS, len(_array(end.eigenvalues))):
        return
    yield Question(
        number,
        "eigenvalues",
        "How many eigenvalues of the Laplacian of this graph are 0?",
        Value(n_parts),
        f"The graph has {count(n_parts, 'connected component', 'connected components')}: for each, "
        "the vector that is constant on it and 0 elsewhere has the eigenvalue 0.",
        (Wrong(Rule.ONE, 1),),
        f"Follow the edges: which {graph.unit}s can be reached from which?",
    )


def _cut(
    run: Run[Problem | GraphProblem, SpectralClustering],
    graph: SimilarityGraph,
    number: int,
    end: SpectralClusteringStep,
) -> Iterator[Question]:
    i, j, weights = graph.edges
    labels = _array(end.labels)
    between = labels[i] != labels[j]
    levels = np.unique(weights).tolist()
    if end.cuts is None or len(levels) > 2 or between.sum() > MAX_CUT:
        return
    told = f"each edge weighs {num4(levels[0])}"
    if len(levels) > 1:
        told = f"thick edges weigh {num4(levels[1])}, thin ones {num4(levels[0])}"
    cut, n_cut = float(weights[between].sum()), int(between.sum())
    terms = [f"{num4(w)} · {(weights[between] == w).sum()}" for w in reversed(levels)]
    yield Question(
        number,
        "cut",
        f"The clusters are found, and {told}. What is the weight of all edges between different "
        "clusters?",
        Value(cut, 0.001),
        f"{count(n_cut, 'edge joins', 'edges join')} {graph.unit}s of different clusters: "
        f"{' + '.join(terms)} = {num4(cut)}.",
        (Wrong(Rule.COUNT, n_cut),),
        "Look for edges whose two ends have different colours.",
    )


def _normalised_cut(
    graph: SimilarityGraph, number: int, end: SpectralClusteringStep
) -> Iterator[Question]:
    cuts = end.cuts
    if cuts is None or not 1 < len(cuts.sizes) <= MAX_CLUSTERS or not cuts.cut > 0:
        return
    k = len(cuts.sizes)
    parts = [f"{num4(c)}/{num4(v)}" for c, v in zip(cuts.cuts, cuts.volumes, strict=True) if v > 0]
    value = cuts.normalized_cut
    yield Question(
        number,
        "normalised cut",
        f"Clusters 1 to {k} have {_listing(cuts.sizes)} {graph.unit}s and the volumes (sums of "
        f"degrees) {_listing(cuts.volumes)}; edges of the weight {_listing(cuts.cuts)} leave "
        "them. What is the normalised cut, as a mean over the clusters?",
        Value(value, 0.01 * value),
        f"({' + '.join(parts)}) / {k} = {num4(value)}.",
        (Wrong(Rule.SIZES, cuts.ratio_cut),),
        f"It relates the weight that leaves a cluster to all weight at its {graph.unit}s.",
    )


def _edge_counts(graph: SimilarityGraph) -> tuple[Floats, Floats]:
    """Return the number of edges of each row, and their weight."""
    i, j, weights = graph.edges
    n = len(graph.degrees)
    ends, both = np.concatenate([i, j]), np.concatenate([weights, weights])
    n_edges: Floats = np.bincount(ends, minlength=n).astype(np.float64)
    return n_edges, np.bincount(ends, both, minlength=n).astype(np.float64)


def _telling_edge(graph: SimilarityGraph) -> tuple[int, int, float]:
    """Return the edge among the heaviest whose line has the largest degree."""
    i, j, weights = graph.edges
    heaviest = np.flatnonzero(weights >= 0.5 * weights[0])
    at = int(heaviest[graph.degrees[i[heaviest]].argmax()])
    return int(i[at]), int(j[at]), float(weights[at])


def _array(array: Any) -> Any:
    return np.empty(0) if array is None else array


def _listing(values: Any) -> str:
    *first, last = (num4(value) for value in values)
    return f"{', '.join(first)} and {last}"
