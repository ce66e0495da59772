"""Short ensembles of trees as Python: a function for each tree, and their vote or sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dmlib.arrays import Ints
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.classification.base_learners import noun_of
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.outputs.trees import HEADER, Reader, has_gaps, nested
from dmlib.problem import Problem
from dmlib.trees.tree import Tree

MAX_LINES = 85
"""Of a module that is read; a longer one is data, and those are JSON."""


def ensemble_code(model: Any, problem: Problem) -> str:
    """Return a fitted ensemble of trees as Python; empty if it is long, or of others.

    Parameters
    ----------
    model : VotingClassifier, AdaBoostClassifier or GradientBoostingClassifier
        Fitted.
    problem : Problem
        The data that it was fitted to, without missing values.

    Returns
    -------
    str
        A module with ``predict(row)``, in the units of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import AdaBoostClassifier
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0], "c": list("xyxy")})
    >>> problem = prepare(table, ["a"], target="c", labelled=True)
    >>> model = AdaBoostClassifier(n_estimators=1, max_depth=1).fit(problem.X, problem.y)
    >>> print(ensemble_code(model, problem))
    \"\"\"Trees whose votes are weighted.\"\"\"
    <BLANKLINE>
    <BLANKLINE>
    def predict(row):
        \"\"\"Return the class of a row, a mapping of column names to values.\"\"\"
        votes = dict.fromkeys(['x', 'y'], 0.0)
        votes[tree_1(row)] += 1.0986122886681098
        return max(votes, key=votes.get)
    <BLANKLINE>
    <BLANKLINE>
    def tree_1(row):
        if row['a'] <= 0.5:
            return 'x'
        else:
            return 'y'
    <BLANKLINE>
    """
    is_boosting = isinstance(model, GradientBoostingClassifier)
    if not is_boosting and noun_of(model) != "tree":
        return ""
    estimators = model.estimators_.ravel() if is_boosting else model.estimators_
    trees = [each.tree if is_boosting else each.tree_ for each in estimators]
    columns = getattr(model, "estimators_features_", [range(len(problem.features))] * len(trees))
    if any(map(has_gaps, trees)) or sum(tree.node_count for tree in trees) > MAX_LINES:
        return ""
    title, body, answers = _combination(model, [problem.classes[code] for code in model.classes_])
    lines = HEADER.format(title=title, imports="", answer="the class", note="").splitlines() + body
    reader = Reader(problem)
    for number, (tree, places, answer) in enumerate(
        zip(trees, columns, answers, strict=True), start=1
    ):
        lines += ["", "", f"def tree_{number}(row):", *_tree(tree, places, reader, answer)]
    return "\n".join([*lines, ""]) if len(lines) <= MAX_LINES else ""


def _combination(model: Any, names: Sequence[str]) -> tuple[str, list[str], list[list[Any]]]:
    """Return what trees do together, in a sentence and in code, and the answers of their nodes."""
    if isinstance(model, GradientBoostingClassifier):
        values = [each.values.tolist() for each in model.estimators_.ravel()]
        return "Trees whose values are added.", _sum(names, model), values
    trees = [each.tree_ for each in model.estimators_]
    if isinstance(model, VotingClassifier):
        title = "Trees whose class frequencies are averaged."
        return title, _mean(names, len(trees)), [tree.value[:, 0].tolist() for tree in trees]
    votes = [[names[code] for code in tree.predictions] for tree in trees]
    return (
        "Trees whose votes are weighted.",
        _votes(names, model.estimator_weights_.tolist()),
        votes,
    )


def _tree(tree: Tree, columns: Ints | range, reader: Reader, answers: Sequence[Any]) -> list[str]:
    """Return the body of the function of a tree that has some of the columns."""

    def conditions(node: int) -> list[str]:
        split = tree.splits.split(node)
        if split is None:
            return []
        return reader.conditions(replace(split, column=int(columns[split.column])))

    return list(nested(tree, conditions, lambda node: repr(answers[node])))


def _mean(names: Sequence[str], n_trees: int) -> list[str]:
    trees = ", ".join(f"tree_{number}" for number in range(1, n_trees + 1))
    return [
        f"    classes = {list(names)!r}",
        f"    sums = [0.0] * {len(names)}",
        f"    for tree in ({trees},):",
        "        sums = [a + b for a, b in zip(sums, tree(row))]",
        f"    means = [a / {n_trees} for a in sums]",
        "    return classes[means.index(max(means))]",
    ]


def _sum(names: Sequence[str], model: GradientBoostingClassifier) -> list[str]:
    start = model.init_score_.tolist()
    n_trees = len(start)
    # The decision value of two classes is that of the second against the first, whose own is 0.
    first = len(names) - n_trees
    return [
        f"    classes = {list(names)!r}",
        f"    scores = {[0.0] * first + start!r}",
        *(
            f"    scores[{first + i % n_trees}] += {model.learning_rate!r} * tree_{i + 1}(row)"
            for i in range(model.estimators_.size)
        ),
        "    return classes[scores.index(max(scores))]",
    ]


def _votes(names: Sequence[str], weights: Sequence[float]) -> list[str]:
    return [
        f"    votes = dict.fromkeys({list(names)!r}, 0.0)",
        *(f"    votes[tree_{i}(row)] += {weight!r}" for i, weight in enumerate(weights, 1)),
        "    return max(votes, key=votes.get)",
    ]
