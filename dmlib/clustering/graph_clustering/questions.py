"""Questions about threshold graph clustering: the next edge, what it does, and the threshold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.graph_clustering.algorithm import (
    ThresholdGraphClustering,
    ThresholdGraphClusteringStep,
    walk,
)
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.ledger import abridged
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num
from dmlib.problem import GraphProblem

MAX_STEPS = 60  # that are asked about
MAX_NODES, MAX_EDGES = 40, 400  # of a picture in which names are written and edges are seen
MAX_WEIGHTS = 60  # edges whose weights are written
MAX_NAMED = 6  # nodes that are named in a sentence


class Rule(Misconception):
    """Wrong rules of threshold graph clustering."""

    CONNECTED = "The next edge must start in the component that has just grown."
    ALWAYS = "Every kept edge merges two components."
    NEIGHBOURS = "A component has only the two ends of the edge and their direct neighbours."
    STRICT = "An edge whose weight equals the threshold is not kept."


def questions(run: Run[GraphProblem, ThresholdGraphClustering]) -> Iterator[Question]:
    """Yield the questions that the steps of threshold graph clustering answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.ThresholdGraphClustering`.

    Yields
    ------
    Question
        Before each edge, and before the end.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.clustering import ThresholdGraphClustering
    >>> from dmlib.problem import prepare_graph
    >>> graph = nx.Graph()
    >>> graph.add_weighted_edges_from([(1, 2, 9), (2, 3, 7), (1, 3, 6), (3, 4, 2)])
    >>> run = Run.of(prepare_graph(graph), ThresholdGraphClustering(5))
    >>> [question.topic for question in questions(run)]
    ['next edge', 'components', 'threshold', 'threshold']
    """
    steps = run.trace.steps
    if not steps or len(run.problem.names) > MAX_NODES or len(run.problem.edges) > MAX_EDGES:
        return
    asker = _Asker(run)
    for number in range(1, min(len(steps), MAX_STEPS)):
        step = steps[number]
        if step.edge is None:
            break
        if step.phase == "inside" or number % 3 == 0:
            yield from asker.components(number, step)
        elif number % 3 == 1:
            yield from asker.next_edge(number, step)
        else:
            yield asker.members(number, step)
    if steps[-1].edge is None and len(steps) > 1:
        yield from asker.thresholds(len(steps) - 1)


class _Asker:
    """The questions about one run, whose edges are sorted, the strongest first."""

    def __init__(self, run: Run[GraphProblem, ThresholdGraphClustering]) -> None:
        self.problem, self.steps = run.problem, run.trace.steps
        self.threshold = run.model.threshold
        self.is_similarity = run.model.weights == "similarity"
        weights = run.problem.weights
        self.order = np.argsort(-weights if self.is_similarity else weights, kind="stable")
        self.edges, self.weights = run.problem.edges[self.order], weights[self.order]

    def name(self, node: int | np.integer[Any]) -> str:
        """Return the name of a node."""
        return " ".join(self.problem.names[node].split())

    def edge_name(self, at: int | np.integer[Any]) -> str:
        """Return the name of an edge by its place in the order."""
        first, second = self.edges[at].tolist()
        return f"{self.name(first)} – {self.name(second)}"

    def next_edge(self, number: int, step: ThresholdGraphClusteringStep) -> Iterator[Question]:
        """Ask which edge is kept next."""
        before = self.steps[number - 1]
        left = np.arange(number, len(self.edges))
        if len(left) < 3 or before.edge is None or len(self.edges) > MAX_WEIGHTS:
            return
        ties = left[np.isclose(self.weights[left], step.weight, rtol=1e-12, atol=0)]
        is_grown = before.components == before.components[before.edge[0]]
        touches = left[is_grown[self.edges[left]].any(axis=1)]
        wrong = [Wrong(Rule.CONNECTED, [int(self.order[touches[0]]) + 1])] if len(touches) else []
        names = {int(self.order[at]) + 1: self.edge_name(at) for at in left}
        largest = "largest" if self.is_similarity else "smallest"
        yield Question(
            number,
            "next edge",
            "Which edge is kept next?",
            Pick("edge", [[int(self.order[at]) + 1] for at in ties], sorted(names), names=names),
            f"Edge {self.edge_name(number)} has the {largest} weight of those that are left, "
            f"{num(step.weight)}.",
            wrong,
            "The edges come in the order of their weights.",
            "Several edges have this weight; their order does not change the clusters."
            if len(ties) > 1
            else "",
        )

    def components(self, number: int, step: ThresholdGraphClusteringStep) -> Iterator[Question]:
        """Ask how many components are left."""
        before = self.steps[number - 1].n_components
        if before == 1:
            return
        merges = "lie in different components, which become one"
        effect = merges if step.phase == "merge" else "lie in the same component already"
        yield Question(
            number,
            "components",
            f"There are {before} components, and edge "
            f"{self.edge_name(number)} is kept. How many components are there then?",
            Value(step.n_components),
            f"Its two nodes {effect}: {step.n_components} of {before} are left.",
            (Wrong(Rule.ALWAYS, before - 1),),
            "Is there already a path of kept edges between its two nodes?",
            about=[node + 1 for node in self.edges[number].tolist()],
            of="node",
        )

    def members(self, number: int, step: ThresholdGraphClusteringStep) -> Question:
        """Ask which nodes are in the component of an edge."""
        first, second = self.edges[number].tolist()
        members = np.flatnonzero(step.components == step.components[first])
        kept = self.edges[: number + 1]
        around = {first, second}
        for end in (first, second):
            around |= set(kept[(kept == end).any(axis=1)].ravel().tolist())
        direct = around if len(around) < len(members) else {first, second}
        nodes = range(len(self.problem.names))
        listing = abridged([self.name(node) for node in members], MAX_NAMED, ", ")
        return Question(
            number,
            "members",
            f"Edge {self.edge_name(number)} is kept. Which nodes are then in the component of "
            f"{self.name(first)}?",
            Pick(
                "node",
                [[int(node) + 1 for node in members]],
                [node + 1 for node in nodes],
                several=True,
                names={node + 1: self.name(node) for node in nodes},
            ),
            f"Paths of kept edges join {listing}: a component is what can be reached, over any "
            "number of edges.",
            (Wrong(Rule.NEIGHBOURS, sorted(node + 1 for node in direct)),),
            "Follow the kept edges, the new one included, as far as they go.",
            about=[first + 1, second + 1],
            of="node",
        )

    def thresholds(self, number: int) -> Iterator[Question]:
        """Ask how many clusters other thresholds would give: weights at which a merge happens."""
        merges = [a != b for a, b, _ in walk(self.edges, len(self.problem.names))]
        levels = np.unique(self.weights[np.array(merges, bool)])
        others = levels[~np.isclose(levels, self.threshold)]
        nearest = others[np.argsort(np.abs(others - self.threshold), kind="stable")][:2]
        for threshold in nearest.tolist():
            n_kept = int(self._is_kept(threshold).sum())
            n_strict = n_kept - int(np.isclose(self.weights, threshold).sum())
            n, n_nodes = self._n_clusters(n_kept), len(self.problem.names)
            sign = "at least" if self.is_similarity else "at most"
            yield Question(
                number,
                "threshold",
                f"How many clusters would there be with the threshold {num(threshold)}, single "
                "nodes included?",
                Value(n),
                f"{count(n_kept, 'edge has', 'edges have')} a weight of {sign} {num(threshold)}; "
                f"{n_nodes - n} of them merge components of the {n_nodes} nodes, which leaves {n}.",
                (
                    Wrong(Rule.STRICT, self._n_clusters(n_strict)),
                    Wrong(Rule.ALWAYS, max(n_nodes - n_kept, 1)),
                ),
                "Which edges would be kept, and which of them close a cycle?",
            )

    def _is_kept(self, threshold: float) -> NDArray[np.bool_]:
        is_kept = self.weights >= threshold if self.is_similarity else self.weights <= threshold
        return np.asarray(is_kept)

    def _n_clusters(self, n_kept: int) -> int:
        n_nodes = len(self.problem.names)
        return n_nodes - sum(a != b for a, b, _ in walk(self.edges[:n_kept], n_nodes))
