"""Questions about graphs: orders, distances and paths, contributions to kernels, centralities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx
import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.answers import Order, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.centrality import CentralityStep
from dmlib.similarity.graphs_similarity.classifier_questions import vote_questions
from dmlib.similarity.graphs_similarity.graph_classifier import GraphKernelClassifier
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernel, GraphKernelStep
from dmlib.similarity.graphs_similarity.graphs import length_matrix
from dmlib.similarity.graphs_similarity.nodes_scene import node_names
from dmlib.similarity.graphs_similarity.shortest_paths import ShortestPathsStep
from dmlib.similarity.graphs_similarity.single_source import SingleSourcePaths, SingleSourceStep
from dmlib.similarity.graphs_similarity.walks import WALKS

MAX_NODES = 16  # of a graph that is worked through by hand
MAX_ORDERED = 4
MAX_PATHS = 20  # that are equally short
MAX_ROUNDS = 20


class Rule(Misconception):
    """Wrong rules of shortest paths."""

    LATEST = "The path over the node that was settled last replaces the one that was known."
    STAYS = "A distance that was found once stays."
    EDGE = "The distance of a node is the length of the last edge to it."
    FEWEST = "The path with the fewest edges is the shortest."
    GREEDY = "The search always goes on along the shortest edge of the node settled last."


def questions(run: Run[GraphProblem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a method on graphs answer.

    Parameters
    ----------
    run : Run
        Steps of one of the methods of the page.

    Yields
    ------
    Question
        Of small graphs: on orders, distances and paths, on what a round adds to a kernel, or which
        node is the most central one; of many graphs, on each vote.

    Examples
    --------
    >>> from dmlib.problem import prepare_graph
    >>> G = nx.Graph()
    >>> G.add_weighted_edges_from([("a", "c", 9), ("a", "b", 2), ("b", "c", 3), ("c", "d", 1)])
    >>> asked = questions(Run.of(prepare_graph(G), SingleSourcePaths()))
    >>> [question.topic for question in asked]
    ['order', 'distance', 'distance', 'path']
    """
    steps = run.trace.steps
    if isinstance(run.model, GraphKernelClassifier):
        yield from vote_questions(run)
        return
    if not steps or len(run.problem.names) > MAX_NODES:
        return
    if isinstance(run.model, SingleSourcePaths):
        yield from _Search(run).questions()
        return
    asks = {ShortestPathsStep: _through, GraphKernelStep: _kernel, CentralityStep: _centrality}.get(
        type(steps[0])
    )
    if asks is not None:
        for number in range(1, min(len(steps), MAX_ROUNDS)):
            yield from asks(run, number)


class _Search:
    """Questions about a search from one node."""

    def __init__(self, run: Run[GraphProblem, SingleSourcePaths]) -> None:
        self.model, self.problem = run.model, run.problem
        self.steps: Sequence[SingleSourceStep] = run.trace.steps
        self.names = node_names(run.problem)
        self.origin, self.target = run.model.origin - 1, run.model.target - 1
        self.by_length = run.model.search == "dijkstra" and run.model.weighted
        self.lengths: Floats = length_matrix(run.problem.graph, weighted=self.by_length)
        self.edges = np.where(np.isfinite(self.lengths), 1.0, np.inf)
        np.fill_diagonal(self.edges, 0.0)

    def questions(self) -> Iterator[Question]:
        """Yield the questions of all steps."""
        if self.steps[-1].phase == "done" and len(self.steps) > 1:
            yield from self._order()
        for number in range(1, len(self.steps)):
            step = self.steps[number]
            if step.phase == "settle" and step.relaxed and len(step.order) > 1:
                yield from self._relax(number, step)
            elif step.phase == "done":
                yield from self._path(number, step)

    def _names(self, nodes: Sequence[int]) -> str:
        return " ".join(self.names[node] for node in nodes)

    # --- the order ---

    def _order(self) -> Iterator[Question]:
        last = self.steps[-1]
        reached = sorted(node for node in last.order if node != self.origin)
        nodes = reached[:MAX_ORDERED]
        if len(nodes) < 3:
            return
        ranks = [float(last.distances[node]) for node in nodes]
        by_edges = _lengths(self.edges, self.origin)
        greedy = self._greedy(reached)
        listing = ", ".join(
            f"{self.names[node]} at {num4(rank)}" for node, rank in zip(nodes, ranks, strict=True)
        )
        yield Question(
            1,
            "order",
            f"In which order are these nodes settled, from {self.names[self.origin]}?",
            Order([self.names[node] for node in nodes], ranks),
            f"By their distances: {listing}.",
            (
                Wrong(Rule.FEWEST, _ordered([float(by_edges[node]) for node in nodes])),
                Wrong(Rule.GREEDY, _ordered([float(greedy.index(node)) for node in nodes])),
            ),
            "The node with the smallest distance from the origin is the next.",
            "Nodes at the same distance may change places." if len(set(ranks)) < len(ranks) else "",
        )

    def _greedy(self, reached: Sequence[int]) -> list[int]:
        """Return the nodes in the order in which the shortest edge of the last node leads."""
        order, left = [self.origin], list(reached)
        while left:
            following = min(left, key=lambda node: (self.lengths[order[-1], node], node))
            left.remove(following)
            order.append(following)
        return order

    def _greedy_path(self, step: SingleSourceStep) -> list[int]:
        """Return the nodes up to the target along the shortest edge of each."""
        order = self._greedy(sorted(node for node in step.order if node != self.origin))
        return order[: order.index(self.target) + 1]

    # --- distances ---

    def _relax(self, number: int, step: SingleSourceStep) -> Iterator[Question]:
        begins = (
            f"Node {self.names[step.node]} is settled next, at {num4(step.distances[step.node])}."
        )
        proof = ", ".join(
            f"{self.names[edge.node]}: min({num4(edge.before)}, {num4(step.distances[step.node])} +"
            f" {num4(edge.length)})"
            for edge in step.relaxed
        )
        if len(step.relaxed) > 1:
            right = [edge.node + 1 for edge in step.relaxed if edge.through < edge.before]
            new = [edge.node + 1 for edge in step.relaxed if np.isinf(edge.before)]
            yield Question(
                number,
                "shorter paths",
                f"{begins} Which other nodes get a path, or a shorter one?",
                Pick("node", [right], among=self._unsettled(step), several=True),
                f"{proof}.",
                (
                    Wrong(Rule.LATEST, [edge.node + 1 for edge in step.relaxed]),
                    Wrong(Rule.STAYS, new),
                ),
                "Compare its distance plus the length of the edge with what is known.",
                about=[step.node + 1],
                of="node",
            )
        known = [edge for edge in step.relaxed if np.isfinite(edge.before)]
        edge = max(known or step.relaxed, key=lambda each: abs(each.through - each.before))
        value = min(edge.before, edge.through)
        wrong = [Wrong(Rule.LATEST, edge.through), Wrong(Rule.EDGE, edge.length)]
        if np.isfinite(edge.before):
            wrong.append(Wrong(Rule.STAYS, edge.before))
        yield Question(
            number,
            "distance",
            f"{begins} What is the distance of {self.names[edge.node]} then?",
            Value(value, 0.0 if value.is_integer() else 0.01 * value),
            f"min({num4(edge.before)}, {num4(step.distances[step.node])} + {num4(edge.length)}) ="
            f" {num4(value)}.",
            wrong,
            f"The edge between them is {num4(edge.length)} long.",
            about=[edge.node + 1],
            of="node",
        )

    def _unsettled(self, step: SingleSourceStep) -> list[int]:
        return [i + 1 for i in range(len(self.names)) if i not in step.order]

    # --- the path ---

    def _path(self, number: int, step: SingleSourceStep) -> Iterator[Question]:
        if len(step.path) < 2:
            return
        paths = _shortest(self.lengths, self.origin, self.target)
        fewest = _shortest(self.edges, self.origin, self.target)
        right = [[node + 1 for node in path] for path in [list(step.path), *paths]]
        yield Question(
            number,
            "path",
            f"Which nodes lie on the shortest path from {self.names[self.origin]} to"
            f" {self.names[self.target]}, with both ends?",
            Pick("node", right, among=range(1, len(self.names) + 1), several=True),
            f"It is {self._names(step.path)}, {num4(step.distances[self.target])} long.",
            (
                Wrong(Rule.FEWEST, [node + 1 for node in fewest[0]]),
                Wrong(Rule.GREEDY, [node + 1 for node in self._greedy_path(step)]),
            ),
            "Trace it back from its end: by which edge was each node reached?",
            "Several paths are equally short." if len(paths) > 1 else "",
        )


def _ordered(ranks: Sequence[float]) -> list[int]:
    return sorted(range(len(ranks)), key=lambda i: ranks[i])


def _graph(lengths: Floats) -> nx.DiGraph:
    G = nx.DiGraph()
    G.add_nodes_from(range(len(lengths)))
    G.add_weighted_edges_from(
        (int(i), int(j), float(lengths[i, j]))
        for i, j in np.argwhere(np.isfinite(lengths))
        if i != j
    )
    return G


def _lengths(lengths: Floats, origin: int) -> dict[int, float]:
    reached: dict[int, float] = nx.single_source_dijkstra_path_length(_graph(lengths), origin)
    return reached


def _shortest(lengths: Floats, origin: int, target: int) -> list[list[int]]:
    """Return the shortest paths, at most so many."""
    paths = nx.all_shortest_paths(_graph(lengths), origin, target, weight="weight")
    return [path for path, _ in zip(paths, range(MAX_PATHS), strict=False)]


# --- other methods --------------------------------------------------------------------------------


def _through(run: Run[GraphProblem, Any], number: int) -> Iterator[Question]:
    """Ask for a distance when paths may lead through another node."""
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    if step.phase != "through":
        return
    D, k, names = before.distances, step.k, node_names(run.problem)
    through = D[:, k, None] + D[k]
    is_known = np.isfinite(through) & np.isfinite(D)
    gap = 1e6 * (np.isfinite(through) & np.isinf(D))  # a first path tells most
    gap[is_known] = np.abs(through[is_known] - D[is_known])
    gap[k], gap[:, k] = 0.0, 0.0
    np.fill_diagonal(gap, 0.0)
    i, j = (int(place) for place in np.unravel_index(int(gap.argmax()), gap.shape))
    if gap[i, j] <= 0:
        return
    value = float(step.distances[i, j])
    wrong = [Wrong(Rule.LATEST, float(through[i, j]))]
    if np.isfinite(D[i, j]):
        wrong.append(Wrong(Rule.STAYS, float(D[i, j])))
    first, second = (i, j) if run.problem.directed else sorted((i, j))
    yield Question(
        number,
        "distance",
        f"Paths may lead through {names[k]} now. What is the distance from {names[i]} to"
        f" {names[j]} then?",
        Value(value, 0.0 if value.is_integer() else 0.01 * abs(value)),
        f"min({num4(D[i, j])}, {num4(D[i, k])} + {num4(D[k, j])}) = {num4(value)}.",
        wrong,
        f"Compare the distance so far with the way over {names[k]}.",
        about=[first * len(names) + second + 1],
        of="pair",
    )


def _kernel(run: Run[GraphProblem, GraphKernel], number: int) -> Iterator[Question]:
    """Ask what a round adds to the kernel."""
    step: GraphKernelStep = run.trace.steps[number]
    if step.phase != "count" or run.model.kernel in WALKS:
        return
    first, second = step.round.counts
    shared = [name for name in first if name in second]
    terms = " + ".join(f"{first[name]} · {second[name]}" for name in shared)
    yield Question(
        number,
        "kernel",
        f"The next round is “{step.round.title}”. What does it add to the kernel?",
        Value(step.terms[-1]),
        f"Counts of what both graphs have: {terms} = {num4(step.terms[-1])}."
        if shared
        else "The graphs have nothing in common in this round: 0.",
        hint="Count in both graphs, and add the products of the counts of what both have.",
    )


def _centrality(run: Run[GraphProblem, Any], number: int) -> Iterator[Question]:
    """Ask for the node with the largest score."""
    step: CentralityStep = run.trace.steps[number]
    right = np.flatnonzero(np.isclose(step.scores, step.scores.max()))
    if step.phase != "pass" or len(right) == len(step.scores):
        return
    names = node_names(run.problem)
    yield Question(
        number,
        "centrality",
        "Which node has the largest score after the next round?",
        Pick("node", [[int(node) + 1] for node in right], among=range(1, len(names) + 1)),
        f"{names[right[0]]} has {num4(step.scores.max())}.",
        hint="Each node passes its score on: who gets most?",
        tie=f"{len(right)} nodes have the same score." if len(right) > 1 else "",
    )
