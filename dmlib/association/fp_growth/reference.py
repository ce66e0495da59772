"""The same question put to mlxtend, and the code that puts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

import pandas as pd

from dmlib.association.fp_growth.algorithm import FPGrowth
from dmlib.association.mlxtend_reference import mlxtend_answers
from dmlib.comparison import Answers
from dmlib.pictures.run import Run

Ordered = Sequence[tuple[Any, ...]]


def fp_growth_reference(run: Run) -> Answers:
    """Return what mlxtend's fpgrowth finds, with the attributes of :class:`dmlib.association.FPGrowth`."""
    return mlxtend_answers(run, "fpgrowth")


def ordered(X: pd.DataFrame, model: FPGrowth) -> Ordered:
    """Return the frequent items of each basket in the order of the tree.

    Examples
    --------
    >>> ordered(pd.DataFrame({"a": [True, False], "b": [True, True], "c": [False, False]}), FPGrowth(0.5))
    [('b', 'a'), ('b',)]
    """
    counts = X.sum()
    sign = {"descending": -1, "ascending": 1, "columns": 0}[model.order]
    items = sorted(
        (j for j in X if counts[j] / len(X) >= model.min_support), key=lambda j: sign * counts[j]
    )
    return [tuple(items[k] for k, there in enumerate(row) if there) for row in X[items].to_numpy()]


def prefixes(baskets: Ordered) -> set[tuple[Any, ...]]:
    """Return, by definition, what the nodes of a tree stand for: everything that a basket begins with.

    Examples
    --------
    >>> sorted(prefixes([("b", "a"), ("b",)]))
    [('b',), ('b', 'a')]
    """
    return {basket[:end] for basket in baskets for end in range(1, len(basket) + 1)}


def conditional_trees(baskets: Ordered, least: float, max_length: float) -> int:
    """Return, by projecting baskets, how many conditional trees are built.

    Parameters
    ----------
    baskets : sequence of tuple
        Items in the order of the tree.
    least : float
        How many baskets must contain a frequent item set.
    max_length : float
        The largest number of items in an item set.

    Examples
    --------
    >>> conditional_trees([("a", "b"), ("b",), ("a", "b")], 2, 3)
    1
    """
    if max_length == 1 or len(prefixes(baskets)) == max(
        map(len, baskets), default=0
    ):  # a single path
        return 0
    total = 0
    for item in set(chain.from_iterable(baskets)):
        above = [basket[: basket.index(item)] for basket in baskets if item in basket]
        counts = Counter(chain.from_iterable(above))
        inside = [tuple(other for other in basket if counts[other] >= least) for basket in above]
        total += (1 + conditional_trees(inside, least, max_length - 1)) if any(inside) else 0
    return total


def fp_growth_code(run: Run) -> str:
    """Return code that asks mlxtend's fpgrowth as ``reference`` about ``X``, after ``model``."""
    model = run.model
    return f"""
# The same item sets with mlxtend, and how large the trees are by definition
from types import SimpleNamespace

from mlxtend.frequent_patterns import fpgrowth

from dmlib.association.fp_growth.reference import conditional_trees, ordered, prefixes

found = fpgrowth(X, min_support={model.min_support!r}, max_len={model.max_length!r}, use_colnames=True)
baskets = ordered(X, model)
least = {model.min_support!r} * len(X) - 1e-9
n_trees = conditional_trees(baskets, least, {model.max_length or "X.shape[1]"})
reference = SimpleNamespace(n_itemsets_=len(found), n_nodes_=len(prefixes(baskets)), n_trees_=n_trees)
"""
