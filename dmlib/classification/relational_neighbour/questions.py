"""Questions about the relational neighbour classifier: votes, known labels, and what spreads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dmlib.arrays import Floats, Ints
from dmlib.classification.class_questions import first_of
from dmlib.classification.relational_neighbour.algorithm import (
    RelationalNeighborStep,
    WeightedVoteRelationalNeighbor,
    neighbor_weights,
    winners,
)
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import GraphProblem

MAX_SWEEPS = 8  # that are asked about
MAX_NEIGHBORS = 5  # of a vote that is computed by hand
MAX_BUTTONS = 40  # beside the picture
MAX_PICKED = 60  # nodes among which some are picked
MAX_NODES = 500  # among which a telling one is looked for
MAX_CANDIDATES = 10  # nodes to whose votes wrong rules are applied
N_NODES = 3  # whose votes are asked for in turn
TOLERANCE = 0.01


class Rule(Misconception):
    """Wrong rules of the relational neighbour classifier."""

    FAR = "In one sweep the known labels reach all nodes that a path leads to."
    HARD = "A node takes the class that most of its neighbours have, without probabilities."
    ALIKE = "All neighbours have one vote, whatever the weights of the edges."
    KNOWN = "Only neighbours with a known label vote."
    SELF = "A node votes for itself, like a neighbour."
    OUTVOTED = "Neighbours can outvote a known label."


def questions(run: Run[GraphProblem, WeightedVoteRelationalNeighbor]) -> Iterator[Question]:
    """Yield the questions that the sweeps answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.WeightedVoteRelationalNeighbor`.

    Yields
    ------
    Question
        Before each of the first sweeps.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> G = nx.path_graph(6)
    >>> nx.set_node_attributes(G, dict(enumerate("aaabbb")), "kind")
    >>> problem = prepare_graph(G, target="kind", labelled=True, known_share=0.3)
    >>> run = Run.of(problem, WeightedVoteRelationalNeighbor(max_iter=2))
    >>> sorted({question.topic for question in questions(run)})
    ['change of class', 'known label', 'reached', 'vote']
    """
    yield from first_of(_of_sweeps(run))


def _of_sweeps(run: Run[GraphProblem, WeightedVoteRelationalNeighbor]) -> Iterator[Question]:
    steps = run.trace.steps
    n_classes = steps[0].proba.shape[1] if steps else 0
    if not n_classes >= 2 or len(run.problem.names) > MAX_NODES:
        return
    votes = _Votes.of(run)
    for number in range(1, min(len(steps), MAX_SWEEPS + 1)):
        step, before = steps[number], steps[number - 1]
        if step.phase != "sweep":
            return
        if number == 1:
            yield from _reached(votes, number, step)
        else:
            yield from _flipped(votes, number, step, before)
        if number == 2:
            yield from _known_label(votes, number, before)
        if step.beta == 1 and run.model.update == "simultaneous":
            yield from _vote(votes, number, step, before)


@dataclass(frozen=True)
class _Votes:
    """The graph as votes.

    Attributes
    ----------
    problem : GraphProblem
        The graph.
    labels : ndarray of shape (n_nodes,)
        The codes of the known labels, -1 elsewhere.
    weights : sparse matrix
        The weights of the neighbours' votes.
    """

    problem: GraphProblem
    labels: Ints
    weights: csr_array

    @classmethod
    def of(cls, run: Run[GraphProblem, WeightedVoteRelationalNeighbor]) -> _Votes:
        """Return the votes of a run."""
        weights = neighbor_weights(run.problem.graph, weighted=run.model.weighted)
        known = np.asarray(run.problem.training.y)
        classes = np.unique(known[known >= 0])
        labels = np.where(known >= 0, np.searchsorted(classes, known), -1)
        return cls(run.problem, labels.astype(np.intp), weights)

    @property
    def names(self) -> Sequence[str]:
        """The names of the classes with a known label."""
        known = np.asarray(self.problem.training.y)
        return [self.problem.classes[code] for code in np.unique(known[known >= 0])]

    def neighbors(self, node: int) -> tuple[Ints, Floats]:
        """Return the neighbours of a node and the weights of their votes."""
        part = slice(self.weights.indptr[node], self.weights.indptr[node + 1])
        return self.weights.indices[part].astype(np.intp), self.weights.data[part]

    def pick(self, nodes: Ints) -> Pick:
        """Return the answer that is a set of nodes."""
        names = {i + 1: str(name) for i, name in enumerate(self.problem.names)}
        if all(str(number) == name for number, name in names.items()) or len(names) > MAX_BUTTONS:
            return Pick("node", [_numbers(nodes)], range(1, len(self.labels) + 1), several=True)
        return Pick("node", [_numbers(nodes)], sorted(names), several=True, names=names)


def _reached(votes: _Votes, number: int, step: RelationalNeighborStep) -> Iterator[Question]:
    if not 2 <= len(votes.labels) <= MAX_PICKED:
        return
    is_unknown = votes.labels < 0
    changed = np.flatnonzero(is_unknown & (step.change > 1e-9))
    has_neighbors = np.diff(votes.weights.indptr) > 0
    listing = ", ".join(str(votes.problem.names[i]) for i in changed[:MAX_NEIGHBORS])
    yield Question(
        number,
        "reached",
        "Which nodes have other probabilities than at the start after the first sweep?",
        votes.pick(changed),
        f"A vote is another one only where a neighbour differs from the start: {listing or 'none'}"
        f"{' …' if len(changed) > MAX_NEIGHBORS else ''}.",
        [Wrong(Rule.FAR, _numbers(np.flatnonzero(is_unknown & has_neighbors)))],
        "At the start only the ringed nodes have a class of their own.",
    )


def _flipped(
    votes: _Votes, number: int, step: RelationalNeighborStep, before: RelationalNeighborStep
) -> Iterator[Question]:
    if not 2 <= len(votes.labels) <= MAX_PICKED or _is_even(before.proba).any():
        return
    current = winners(before.proba)
    hard = votes.weights @ np.eye(before.proba.shape[1])[current]
    is_voted = (votes.labels < 0) & (np.asarray(hard).sum(axis=1) > 0)
    followers = np.flatnonzero(is_voted & (np.asarray(hard).argmax(axis=1) != current))
    if not len(step.flipped) and not len(followers):
        return
    first = step.flipped[0] if len(step.flipped) else int(step.change.argmax())
    k = int(winners(step.proba[[first]])[0])
    yield Question(
        number,
        "change of class",
        "Which nodes change their most probable class in this sweep?",
        votes.pick(step.flipped),
        f"P({votes.names[k]}) of node {votes.problem.names[first]} goes from "
        f"{num4(before.proba[first, k])} to {num4(step.proba[first, k])}"
        f"{'' if len(step.flipped) else ', and no node changes more'}.",
        [Wrong(Rule.HARD, _numbers(followers))],
        "Strong colours count more than pale ones, and ringed nodes never change.",
    )


def _known_label(votes: _Votes, number: int, before: RelationalNeighborStep) -> Iterator[Question]:
    """Yield a question about the known label that its neighbours agree with least."""
    known = np.flatnonzero((votes.labels >= 0) & (np.diff(votes.weights.indptr) > 0))
    if not len(known):
        return
    shares = [_mean(votes, int(i), before.proba)[votes.labels[i]] for i in known]
    node = int(known[int(np.argmin(shares))])
    name = votes.names[votes.labels[node]]
    yield Question(
        number,
        "known label",
        f"The label of node {votes.problem.names[node]} is known, {name}; what is P({name}) there "
        "after the next sweep?",
        Value(1.0),
        f"Known labels are fixed, though the neighbours vote {num4(min(shares))} for {name}.",
        [Wrong(Rule.OUTVOTED, float(min(shares)))],
        "It is given, and not predicted.",
        about=[node + 1],
        of="node",
    )


def _vote(
    votes: _Votes, number: int, step: RelationalNeighborStep, before: RelationalNeighborStep
) -> Iterator[Question]:
    sizes = np.diff(votes.weights.indptr)
    candidates = np.flatnonzero((votes.labels < 0) & (sizes > 0) & (sizes <= MAX_NEIGHBORS))
    candidates = candidates[:MAX_CANDIDATES]
    if not len(candidates):
        return
    found = [_wrong_votes(votes, int(i), before.proba) for i in candidates]
    right = [float(step.proba[i, 0]) for i in candidates]
    n_telling = [
        len({round(value, 2) for value in each.values() if abs(value - p) > 2 * TOLERANCE})
        for each, p in zip(found, right, strict=True)
    ]
    # another node in each sweep, of those on which the wrong rules differ most
    ranking = np.argsort(-np.array(n_telling), kind="stable")
    place = int(ranking[(number - 1) % min(len(ranking), N_NODES)])
    node = int(candidates[place])
    neighbors, weights = votes.neighbors(node)
    source, name = before.proba[neighbors, 0], votes.names[0]
    listing = ", ".join(
        f"{num4(p)}{'' if weights.max() == 1 else f' (weight {num4(w)})'}"
        f"{', known' if votes.labels[i] >= 0 else ''}"
        for i, p, w in zip(neighbors, source, weights, strict=True)
    ).replace("), known", ", known)")
    products = " + ".join(f"{num4(w)} · {num4(p)}" for w, p in zip(weights, source, strict=True))
    yield Question(
        number,
        "vote",
        f"The neighbours of node {votes.problem.names[node]}, itself {num4(before.proba[node, 0])},"
        f" have P({name}) = {listing}. What is P({name}) of the node after the sweep?",
        Value(right[place], TOLERANCE),
        f"({products}) / {num4(weights.sum())} = {num4(right[place])}.",
        [Wrong(rule, value) for rule, value in found[place].items()],
        "It is the mean of the neighbours, weighted by the edges.",
        about=[node + 1],
        of="node",
    )


def _wrong_votes(votes: _Votes, node: int, proba: Floats) -> dict[Rule, float]:
    """Return the probability of the first class of a node by each wrong rule."""
    neighbors, weights = votes.neighbors(node)
    source, own = proba[neighbors, 0], float(proba[node, 0])
    is_known = votes.labels[neighbors] >= 0
    hard = weights @ np.eye(proba.shape[1])[winners(proba[neighbors])]
    found = {
        Rule.ALIKE: float(source.mean()),
        Rule.SELF: float((weights @ source + own) / (weights.sum() + 1)),
    }
    second, first = np.sort(hard)[-2:]
    if first > second and not _is_even(proba[neighbors]).any():
        found[Rule.HARD] = float(hard.argmax() == 0)
    if is_known.any():
        found[Rule.KNOWN] = float(np.average(source[is_known], weights=weights[is_known]))
    return found


def _mean(votes: _Votes, node: int, proba: Floats) -> Floats:
    neighbors, weights = votes.neighbors(node)
    mean: Floats = weights @ proba[neighbors] / weights.sum()
    return mean


def _is_even(proba: Floats) -> NDArray[np.bool_]:
    """Return which nodes have no single most probable class."""
    second, first = np.sort(proba, axis=1)[:, -2:].T
    is_even: NDArray[np.bool_] = first - second < 1e-9
    return is_even


def _numbers(nodes: Ints) -> list[int]:
    return [int(i) + 1 for i in nodes]
