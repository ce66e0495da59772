"""Questions about many graphs: the class that the neighbours of a graph vote for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from dmlib.pictures.answers import MAX_OPTIONS, Option
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.classifier_ledger import GraphSet
from dmlib.similarity.graphs_similarity.graph_classifier import (
    GraphClassifierStep,
    GraphKernelClassifier,
    vote,
)

MAX_TOLD = 6  # graphs whose distances are told


class VoteRule(Misconception):
    """Wrong rules of a vote by a kernel."""

    OWN = "The class of the graph that is left out counts in the vote."
    LARGEST = "The graphs with the largest kernel values are the nearest, normalised or not."
    FARTHEST = "The graphs with the largest distances vote."


def vote_questions(run: Run[GraphProblem, GraphKernelClassifier]) -> Iterator[Question]:
    """Yield a question before each vote.

    Examples
    --------
    >>> from dmlib.datasets import make
    >>> from dmlib.problem import prepare_graph
    >>> data = make("rings_and_trees", n_graphs=4)
    >>> problem = prepare_graph(data.graph, target=data.target)
    >>> [question.topic for question in vote_questions(Run.of(problem, GraphKernelClassifier()))]
    ['vote', 'vote', 'vote', 'vote']
    """
    graphs = GraphSet(run.problem)
    if len(graphs.classes) > MAX_OPTIONS:
        return
    for number, (before, step) in enumerate(pairwise(run.trace.steps), start=1):
        if step.phase == "predict" and before.graph != step.graph:
            yield _vote(graphs, number, step)


def _vote(graphs: GraphSet, number: int, step: GraphClassifierStep) -> Question:
    assert step.graph is not None
    assert step.squares is not None
    i, k = step.graph, len(step.neighbors)
    others = np.delete(np.arange(len(graphs.codes)), i)
    order = others[np.argsort(step.squares[others], kind="stable")]
    by_kernel = others[np.argsort(-step.matrix[i, others], kind="stable")][:k]
    told = list(dict.fromkeys([*step.neighbors, *order.tolist()]))[: max(MAX_TOLD, k)]
    listing = ", ".join(f"{graphs.name(j)} at {num4(step.squares[j])}" for j in sorted(told))
    voters = ", ".join(graphs.name(j) for j in step.neighbors)
    right = int(step.predicted[i])
    wrong = [
        Wrong(VoteRule.OWN, int(graphs.codes[i])),
        Wrong(VoteRule.LARGEST, vote(graphs.codes[by_kernel])),
        Wrong(VoteRule.FARTHEST, vote(graphs.codes[order[::-1][:k]])),
    ]
    return Question(
        number,
        "vote",
        f"Graph {graphs.names[i]} is left out. The nearest others, by d²: {listing}. Which class"
        f" do the {k} nearest vote for?",
        Option([str(name) for name in graphs.classes], [right]),
        f"The nearest are {voters}.",
        wrong,
        "A small squared distance is near; the class that most of them have wins.",
    )
