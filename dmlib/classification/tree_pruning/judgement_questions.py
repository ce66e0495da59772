"""Decisions of wrong rules of pruning, and questions about the numbers that are compared."""

from __future__ import annotations

from collections.abc import Iterator

from dmlib.arrays import Floats, Ints
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.critical import inner_nodes
from dmlib.classification.tree_pruning.cutting import Action, Comparison, Cutting, is_no_larger
from dmlib.pictures.answers import MAX_OPTIONS, Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, upper_first
from dmlib.problem import Problem
from dmlib.trees.split_ledger import SCORES
from dmlib.trees.tree import Tree

MAX_LISTED = 6  # splits whose values are in a question


class JudgementRule(Misconception):
    """Wrong rules of the methods that compare a leaf with a subtree."""

    OWN = "The value of a node's own split decides, whatever is below it."
    EACH = "A subtree stays only if each of its splits reaches the critical value."
    EQUAL = "With as many errors as a leaf, the subtree stays."
    TRAINED = "The errors on the training rows decide."
    ONCE = "A subtree is charged once, not for each of its leaves."
    BARE = "The charged errors are compared without a standard error."


def misjudged(
    run: Run[Problem, PrunedTreeClassifier], comparison: Comparison
) -> Iterator[tuple[JudgementRule, Action]]:
    """Yield wrong rules of the method of a run, and what each does with a node.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.PrunedTreeClassifier`.
    comparison : Comparison
        What is compared at the node.
    """
    model, grown = run.model, run.trace.steps[0].tree
    own, limit = comparison.leaf_side, comparison.subtree_side
    if model.method == "critical_value":
        scores = _scores(grown)[inner_nodes(grown, comparison.node)]
        yield JudgementRule.OWN, _action(own < limit)
        yield JudgementRule.EACH, _action(scores.min() < limit)
    elif model.method == "pessimistic":
        yield JudgementRule.BARE, _action(is_no_larger(own, _charged(run, comparison)))
    elif model.method == "reduced_error":
        yield JudgementRule.EQUAL, _action(not is_no_larger(limit, own))
        yield JudgementRule.TRAINED, _action(is_no_larger(*_training_errors(grown, comparison)))


def situation(run: Run[Problem, PrunedTreeClassifier], comparison: Comparison) -> str:
    """Return the numbers that decide about a node, as the beginning of a question."""
    model, grown = run.model, run.trace.steps[0].tree
    node = upper_first(node_name(int(grown.numbers[comparison.node])))
    own, limit = num4(comparison.leaf_side), num4(comparison.subtree_side)
    if model.method == "critical_value":
        inner = inner_nodes(grown, comparison.node)[:MAX_LISTED]
        return f"The {_listing(run, inner)}, and the critical value is {limit}: "
    if model.method == "pessimistic":
        charged = _charged(run, comparison)
        return (
            f"{node} is charged with {own} errors as a leaf, its subtree with {num4(charged)}, and"
            f" {num4(model.standard_errors)} standard error is"
            f" {num4(comparison.subtree_side - charged)}: "
        )
    if model.method == "reduced_error":
        as_leaf, below = map(num4, _training_errors(grown, comparison))
        return (
            f"{node} as a leaf and its subtree make {own} and {limit} errors on the pruning set,"
            f" {as_leaf} and {below} on the training rows: "
        )
    return ""


def critical_value_question(
    run: Run[Problem, PrunedTreeClassifier], number: int, comparison: Comparison
) -> Iterator[Question]:
    """Ask up to which critical value a node keeps its subtree: one of those of its splits."""
    grown = run.trace.steps[0].tree
    scores, inner = _scores(grown), inner_nodes(grown, comparison.node)
    texts = [num4(value) for value in scores[inner]]
    options, right = list(dict.fromkeys(texts)), texts[int(scores[inner].argmax())]
    if not 1 < len(options) <= MAX_OPTIONS:
        return
    node = int(grown.numbers[comparison.node])
    highest = node_name(int(grown.numbers[inner[int(scores[inner].argmax())]]))
    yield Question(
        number,
        "critical value",
        f"The {_listing(run, inner)}: up to which critical value does {node_name(node)} keep its"
        " subtree?",
        Option(options, [options.index(right)]),
        f"It stays as long as one split of its subtree reaches the critical value: the largest is"
        f" {right}, that of {highest}.",
        (
            Wrong(JudgementRule.OWN, options.index(texts[0])),
            Wrong(JudgementRule.EACH, options.index(texts[int(scores[inner].argmin())])),
        ),
        "It need not be its own split that reaches the critical value.",
        about=[node + 1],
        of="node",
    )


def charged_errors(
    run: Run[Problem, PrunedTreeClassifier], number: int, comparison: Comparison
) -> Question:
    """Return the question how many errors pessimistic pruning charges a subtree with."""
    grown, penalty = run.trace.steps[0].tree, run.model.leaf_penalty
    node, n_leaves = int(grown.numbers[comparison.node]), len(comparison.parts)
    errors = float(comparison.measures.sum())
    charged = _charged(run, comparison)
    return Question(
        number,
        "charged errors",
        f"The {n_leaves} leaves below {node_name(node)} make {num4(errors)} errors on the training"
        f" rows, and {num4(penalty)} is added for a leaf: how many errors is the subtree charged"
        " with?",
        Value(charged, 0.01),
        f"{num4(errors)} + {n_leaves} · {num4(penalty)} = {num4(charged)}.",
        (Wrong(JudgementRule.ONCE, errors + penalty), Wrong(JudgementRule.TRAINED, errors)),
        "A larger tree fits its training rows better by chance.",
        about=[node + 1],
        of="node",
    )


def _listing(run: Run[Problem, PrunedTreeClassifier], inner: Ints) -> str:
    """Return the values of some splits in words."""
    grown = run.trace.steps[0].tree
    values = _scores(grown)[inner].tolist()
    names = [node_name(int(grown.numbers[i])) for i in inner]
    listing = [f"{num4(value)} at {a}" for a, value in zip(names, values, strict=True)]
    return f"{SCORES[run.model.criterion]} is {', '.join(listing)}"


def _training_errors(grown: Tree, comparison: Comparison) -> tuple[float, float]:
    """Return the errors of a node on the training rows as a leaf, and those of its subtree."""
    errors = Cutting(grown).errors
    return float(errors[comparison.node]), float(errors[comparison.parts].sum())


def _charged(run: Run[Problem, PrunedTreeClassifier], comparison: Comparison) -> float:
    penalty = run.model.leaf_penalty * len(comparison.parts)
    return float(comparison.measures.sum()) + penalty


def _scores(grown: Tree) -> Floats:
    assert grown.scores is not None
    return grown.scores


def _action(is_pruned: bool) -> Action:
    return "prune" if is_pruned else "keep"
