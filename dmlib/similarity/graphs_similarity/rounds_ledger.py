"""The rounds of a graph kernel in two graphs, with the colours and numbers of labels."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes
from dmlib.cached import cached_property
from dmlib.pictures.marks import NO_CLASS
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.features import Round
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernelStep
from dmlib.similarity.graphs_similarity.graphs import two_parts
from dmlib.similarity.graphs_similarity.kernel_ledger import ordered
from dmlib.similarity.graphs_similarity.walks import WALKS

MAX_BARS = 12  # features whose counts are drawn


class KernelCounts:
    """The rounds of a graph kernel.

    Parameters
    ----------
    run : Run
        The run.

    Attributes
    ----------
    parts : tuple of ndarray of int
        The nodes of both graphs.
    note : str
        A sentence on these nodes.
    sides : ndarray of shape (n_nodes,)
        The graph of each node: 0, 1, or -1 for those in neither.
    rounds : list of Round
        The rounds.
    names : list of list of str
        The names of the counts in each round.
    counts : list of tuple of Counter
        The counts of both graphs in each round.
    """

    def __init__(self, run: Run[GraphProblem, Any]) -> None:
        self.problem, self.kernel = run.problem, run.model.kernel
        self.relabels = self.kernel == "weisfeiler-lehman"
        self.counts_walks = self.kernel in WALKS
        first, second, self.note = two_parts(run.problem.graph)
        self.parts = first, second
        self.sides = np.full(len(run.problem.names), -1)
        self.sides[first], self.sides[second] = 0, 1
        self.is_excluded = self.sides < 0
        self.rounds: list[Round] = [step.round for step in run.trace.steps if step.phase == "count"]
        labels = {label for own in self.rounds[0].labels for label in own}
        self.has_one_class = run.model.labels == "class" and len(labels) == 1
        self.names = [ordered(round_) for round_ in self.rounds]
        self.counts = [round_.counts for round_ in self.rounds]
        if self.counts_walks:  # a round counts the walks of one length: those before stay
            self.names = list(accumulate(self.names))
            self.counts = list(accumulate(self.counts, _united))

    def at(self, step: GraphKernelStep) -> int:
        """Return the round that a step shows."""
        return min(len(step.terms), len(self.rounds)) - 1

    @property
    def bars(self) -> slice:
        """The names of a round that have a bar: the first ones, of walks the last."""
        return slice(-MAX_BARS, None) if self.counts_walks else slice(MAX_BARS)

    @cached_property
    def node_labels(self) -> list[NDArray[np.intp]]:
        """The label of each node in each round; 0 for those in neither graph."""
        return [self._per_node(round_) for round_ in self.rounds]

    def _per_node(self, round_: Round) -> NDArray[np.intp]:
        labels = np.zeros(len(self.sides), np.intp)
        for part, own in zip(self.parts, round_.labels, strict=True):
            labels[part] = own
        return labels

    @cached_property
    def label_colors(self) -> list[dict[int, int]]:
        """The colours of the labels that occur more than once in each round, by frequency."""
        return [_ranks(round_) for round_ in self.rounds]

    @cached_property
    def node_colors(self) -> list[Bytes]:
        """The colour of each node in each round."""
        pairs = zip(self.node_labels, self.label_colors, strict=True)
        return [
            np.array([colors.get(label, NO_CLASS) for label in own.tolist()], np.uint8)
            for own, colors in pairs
        ]

    @cached_property
    def node_numbers(self) -> list[NDArray[np.intp]]:
        """The number of the label of each node in each round, to which tables refer."""
        pairs = zip(self.node_labels, self.names, strict=True)
        return [_numbers(own, names) * ~self.is_excluded for own, names in pairs]


Counts = tuple[Counter[str], ...]


def _united(before: Counts, new: Counts) -> Counts:
    return before[0] | new[0], before[1] | new[1]


def _numbers(labels: NDArray[np.intp], names: list[str]) -> NDArray[np.intp]:
    numbers = {name: i for i, name in enumerate(names, 1)}
    return np.array([numbers.get(str(label), 0) for label in labels])


def _ranks(round_: Round) -> dict[int, int]:
    times = Counter(label for own in round_.labels for label in own)
    repeated = [label for label in times if times[label] > 1]
    repeated.sort(key=lambda label: (-times[label], label))
    return {label: i % NO_CLASS for i, label in enumerate(repeated)}
