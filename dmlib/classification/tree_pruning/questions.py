"""Questions about pruning: the weakest link, its cost per leaf, and how many leaves are left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.class_questions import first_of
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.cutting import Comparison
from dmlib.classification.tree_pruning.judgement_questions import (
    JudgementRule,
    charged_errors,
    critical_value_question,
    misjudged,
    situation,
)
from dmlib.classification.tree_pruning.pruning import PruningStep
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4, upper_first
from dmlib.problem import Problem
from dmlib.trees.cost_complexity import leaf_costs
from dmlib.trees.tree import Tree

MAX_LINKS = 12  # inner nodes among which one is picked
MAX_LISTED = 6  # whose numbers are in the hint
FATES = {
    "prune": "it becomes a leaf",
    "keep": "its subtree stays",
    "raise": "its largest branch replaces it",
}
HINTS = {"critical_value": "Its subtree stays if a split in it reaches the critical value."}
SIDES = {
    "chi2": "The statistic of its split and the critical value",
    "critical_value": "The value of its split and the critical value",
}
HINT = "It becomes a leaf where that is no worse by the method's estimate."


class Rule(Misconception):
    """Wrong rules of cost-complexity pruning."""

    LEAST = "The node that costs least more as a leaf is pruned first, whatever it saves."
    DEEPEST = "The deepest node is pruned first."
    PER_LEAF = "The increase of the cost is divided by the number of leaves."
    UNDIVIDED = "The increase of the cost counts, however many leaves are pruned."
    ALL = "A pruned node loses all its leaves, and is none itself."


RULES = (*Rule, *JudgementRule)
"""Those of all methods."""


def questions(run: Run[Problem, PrunedTreeClassifier]) -> Iterator[Question]:
    """Yield the questions that the comparisons of pruning answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.PrunedTreeClassifier`.

    Yields
    ------
    Question
        Before each comparison.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyxxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> model = PrunedTreeClassifier("pessimistic", validation_fraction=0.0)
    >>> [question.topic for question in questions(Run.of(problem, model))]
    ['comparison', 'leaves']
    """
    yield from first_of(_of_comparisons(run))


def _of_comparisons(run: Run[Problem, PrunedTreeClassifier]) -> Iterator[Question]:
    steps = run.trace.steps
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.comparison is None:
            continue
        is_by_cost = run.model.method == "cost_complexity"
        links = Links.of(before.tree, run.model.cost) if is_by_cost else None
        # Which node it is would be told by the other questions.
        if links is not None and number % 2:
            yield from _weakest(number, links)
            continue
        if links is not None:
            yield from _link(number, links, steps[0].tree, step.comparison)
        else:
            if run.model.method == "pessimistic" and number % 2 == 0:
                yield charged_errors(run, number, step.comparison)
                continue
            yield _comparison(run, number, step.comparison)
        if run.model.method == "critical_value":
            yield from critical_value_question(run, number, step.comparison)
        if step.phase == "prune":
            yield _leaves(number, steps[0].tree, step, before)


class Links(NamedTuple):
    """The inner nodes of a tree, as links that may be pruned.

    Attributes
    ----------
    tree : Tree
        The tree.
    nodes : ndarray of shape (n_links,)
        The inner nodes, by their place in the tree.
    own, below : ndarray of shape (n_links,)
        The cost of each as a leaf, and that of the leaves of its subtree.
    n_leaves : ndarray of shape (n_links,)
        The number of these leaves.
    """

    tree: Tree
    nodes: Ints
    own: Floats
    below: Floats
    n_leaves: Ints

    @classmethod
    def of(cls, tree: Tree, cost: str) -> Links:
        """Return the links of a tree."""
        own, parents = leaf_costs(tree, cost), np.asarray(tree.parents)
        below = np.where(tree.is_leaf, own, 0.0)
        n_leaves = np.asarray(tree.is_leaf).astype(np.intp)
        for node in range(tree.node_count - 1, 0, -1):  # children come after their parents
            below[parents[node]] += below[node]
            n_leaves[parents[node]] += n_leaves[node]
        nodes = np.flatnonzero(~tree.is_leaf)
        return cls(tree, nodes, own[nodes], below[nodes], n_leaves[nodes])

    @property
    def numbers(self) -> list[int]:
        """The numbers of the nodes."""
        return [int(number) + 1 for number in np.asarray(self.tree.numbers)[self.nodes]]

    @property
    def costs(self) -> Floats:
        """How much more each costs as a leaf, for each leaf less."""
        costs: Floats = (self.own - self.below) / (self.n_leaves - 1)
        return costs

    def names(self) -> dict[int, str]:
        """Return the names of the nodes by their numbers."""
        return {number: node_name(number - 1) for number in self.numbers}

    def term(self, i: int) -> str:
        """Return the cost of a link with its numbers put in."""
        difference = f"({num4(self.own[i])} − {num4(self.below[i])})"
        return f"{difference} / ({self.n_leaves[i]} − 1) = {num4(self.costs[i])}"


def _weakest(number: int, links: Links) -> Iterator[Question]:
    if not 2 <= len(links.nodes) <= MAX_LINKS:
        return
    costs, names = links.costs, links.names()
    weakest = np.flatnonzero(np.isclose(costs, costs.min(), rtol=1e-9, atol=1e-12)).tolist()
    others = [i for i in np.argsort(costs, kind="stable") if i not in weakest]
    depths = _depths(links.tree)[links.nodes]
    first = names[links.numbers[weakest[0]]]
    proof = f"{upper_first(first)}: {links.term(weakest[0])}"
    if others:
        proof += f"; the next is {names[links.numbers[others[0]]]}: {links.term(int(others[0]))}"
    listing = "; ".join(
        f"{names[n]}: {num4(own)} as a leaf, {num4(below)} in {leaves} leaves"
        for n, own, below, leaves in list(
            zip(links.numbers, links.own, links.below, links.n_leaves, strict=True)
        )[:MAX_LISTED]
    )
    yield Question(
        number,
        "weakest link",
        "Which node is the weakest link, with the least cost for each leaf less?",
        Pick(
            "node", [[links.numbers[i]] for i in weakest], among=sorted(links.numbers), names=names
        ),
        f"{proof}.",
        (
            Wrong(Rule.LEAST, [links.numbers[int(np.argmin(links.own - links.below))]]),
            Wrong(Rule.DEEPEST, [links.numbers[int(np.argmax(depths))]]),
        ),
        f"Costs: {listing}.",
        "These links are equally weak." if len(weakest) > 1 else "",
    )


def _link(number: int, links: Links, grown: Tree, comparison: Comparison) -> Iterator[Question]:
    node = _number(grown, comparison)
    i = links.numbers.index(node)
    increase, n = float(links.own[i] - links.below[i]), int(links.n_leaves[i])
    cost = float(links.costs[i])
    yield Question(
        number,
        "cost of a leaf",
        f"{upper_first(node_name(node - 1))} costs {num4(links.own[i])} as a leaf; its {n} leaves "
        f"cost {num4(links.below[i])} together. How much does it cost for each leaf less?",
        Value(cost, 0.01 * max(abs(cost), 1e-3)),
        f"{links.term(i)}.",
        (Wrong(Rule.PER_LEAF, increase / n), Wrong(Rule.UNDIVIDED, increase)),
        "The node itself becomes a leaf.",
        about=[node],
        of="node",
    )


def _leaves(number: int, grown: Tree, step: PruningStep, before: PruningStep) -> Question:
    assert step.comparison is not None
    node = _number(grown, step.comparison)
    n_pruned = before.n_leaves - step.n_leaves + 1
    return Question(
        number,
        "leaves",
        f"{upper_first(node_name(node - 1))} becomes a leaf: how many leaves does the tree have "
        "then?",
        Value(step.n_leaves),
        f"Of {count(before.n_leaves, 'leaf', 'leaves')}, {n_pruned} become one: "
        f"{before.n_leaves} − {n_pruned} + 1 = {step.n_leaves}.",
        [Wrong(Rule.ALL, before.n_leaves - n_pruned)],
        "Count the leaves below it.",
        about=[node],
        of="node",
    )


def _comparison(
    run: Run[Problem, PrunedTreeClassifier], number: int, comparison: Comparison
) -> Question:
    node, method = _number(run.trace.steps[0].tree, comparison), run.model.method
    fates = [fate for fate in FATES if fate != "raise" or method == "error_based"]
    sides = f"{num4(comparison.leaf_side)} and {num4(comparison.subtree_side)}"
    reason = f": {comparison.reason}" if comparison.reason else ""
    return Question(
        number,
        "comparison",
        upper_first(f"{situation(run, comparison)}what becomes of {node_name(node - 1)}?"),
        Option([FATES[fate] for fate in fates], [fates.index(comparison.action)]),
        f"{SIDES.get(method, 'The side of the leaf and that of the subtree')} are {sides}{reason}.",
        [Wrong(rule, fates.index(action)) for rule, action in misjudged(run, comparison)],
        HINTS.get(method, HINT),
        about=[node],
        of="node",
    )


def _number(grown: Tree, comparison: Comparison) -> int:
    return int(grown.numbers[comparison.node]) + 1


def _depths(tree: Tree) -> Ints:
    parents, depths = np.asarray(tree.parents), np.zeros(tree.node_count, np.intp)
    for node in range(1, tree.node_count):
        depths[node] = depths[parents[node]] + 1
    return depths
