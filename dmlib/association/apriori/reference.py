"""The same question put to mlxtend, and the code that puts it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pandas as pd

from dmlib.association.apriori.algorithm import AIS, Apriori, AprioriHybrid, AprioriTid
from dmlib.association.mlxtend_reference import mlxtend_answers
from dmlib.comparison import Answers
from dmlib.pictures.run import Run


def apriori_reference(run: Run) -> Answers:
    """Return what mlxtend's apriori finds, with the attributes of :class:`dmlib.association.Apriori`."""
    return mlxtend_answers(run, "apriori")


def candidates(
    frequent: Collection[frozenset[Any]], X: pd.DataFrame, model: Apriori
) -> set[frozenset[Any]]:
    """Return, by definition, the item sets that a method has to count, given all frequent ones.

    Parameters
    ----------
    frequent : collection of frozenset
        All frequent item sets.
    X : DataFrame of bool
        The baskets.
    model : Apriori
        The method.

    Examples
    --------
    >>> X = pd.DataFrame({"a": [True, True], "b": [True, False]})
    >>> sorted(sorted(items) for items in candidates({frozenset("a")}, X, Apriori(1.0)))
    [['a'], ['b']]
    """
    names = list(X.columns)
    place = {name: j for j, name in enumerate(names)}
    single = {frozenset([name]) for name in names}
    larger = {
        s | {name}
        for s in frequent
        for name in names
        if name not in s and frozenset([name]) in frequent
    }
    larger = {s for s in larger if model.max_length is None or len(s) <= model.max_length}
    if isinstance(model, AIS):
        last = {s: max(s, key=place.__getitem__) for s in larger}
        larger = {s for s in larger if s - {last[s]} in frequent and X[list(s)].all(axis=1).any()}
    else:
        larger = {s for s in larger if all(s - {item} in frequent for item in s)}
    return single | larger


def passes(counted: Collection[frozenset[Any]], X: pd.DataFrame, model: Apriori) -> int:
    """Return, by definition, how often a method reads the baskets to count some item sets.

    Examples
    --------
    >>> X = pd.DataFrame({"a": [True, True], "b": [True, False]})
    >>> passes({frozenset("a"), frozenset("b"), frozenset("ab")}, X, Apriori(1.0))
    2
    """
    sizes = {len(items) for items in counted}
    if isinstance(model, AprioriTid):
        return 1
    if not isinstance(model, AprioriHybrid):
        return len(sizes)
    before = 0
    for size in sorted(sizes):
        counts = [int(X[list(items)].all(axis=1).sum()) for items in counted if len(items) == size]
        n_frequent = sum(count / len(X) >= model.min_support for count in counts)
        if sum(counts) + len(X) <= model.max_entries and n_frequent < before:
            return min(size + 1, len(sizes))  # the next pass makes the lists
        before = n_frequent
    return len(sizes)


def apriori_code(run: Run) -> str:
    """Return code that asks mlxtend's apriori as ``reference`` about ``X``, after ``model``."""
    model = run.model
    return f"""
# The same item sets with mlxtend, and what has to be counted to find them
from types import SimpleNamespace

from mlxtend.frequent_patterns import apriori

from dmlib.association.apriori.reference import candidates, passes

found = apriori(X, min_support={model.min_support!r}, max_len={model.max_length!r}, use_colnames=True)
counted = candidates(set(found["itemsets"]), X, model)
n_passes = passes(counted, X, model)
reference = SimpleNamespace(n_itemsets_=len(found), n_candidates_=len(counted), n_passes_=n_passes)
"""
