"""Rules as a table with their measures, and the counts of their item sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.association.association_rules.generation import ROUNDING, Generation, Lookup
from dmlib.association.association_rules.measures import adjusted_p, fisher_p, rule_measures
from dmlib.association.bitsets import Sets
from dmlib.trace import look

Levels = list[tuple[Sets, NDArray[np.float64]]]
"""The frequent item sets of each size from 1, with their counts."""


def lookup_in(levels: Levels) -> Lookup:
    """Return a lookup of the counts of frequent item sets.

    Raises
    ------
    ValueError
        At the first item set that is missing.
    """
    count_of = {
        tuple(items): count
        for sets, counts in levels
        for items, count in zip(sets.tolist(), counts, strict=True)
    }

    def lookup(sets: Sets) -> NDArray[np.float64]:
        try:
            return np.array([count_of[tuple(items)] for items in sets.tolist()], float)
        except KeyError:
            raise ValueError(
                "The support of a subset is missing. Give all frequent item sets, not only maximal"
                " or closed ones."
            ) from None

    return lookup


def rules_table(
    generation: Generation, n_baskets: int | None, names: list[Any], correction: str
) -> pd.DataFrame:
    """Return the rules that have enough confidence, in the order in which they are found.

    Parameters
    ----------
    generation : Generation
        After its steps.
    n_baskets : int or None
        The number of baskets; None if the counts are shares of them, and then there are no
        p-values.
    names : list
        The items.
    correction : str
        How the p-values are corrected for the number of rules that were tested.
    """
    parts = [part for level in generation.tested for part in level]

    def of_all(name: str) -> NDArray[Any]:
        return np.concatenate([np.empty(0), *(getattr(part, name) for part in parts)])

    joint, antecedent, consequent = map(
        of_all, ("counts", "antecedent_counts", "consequent_counts")
    )
    p = adjusted = np.full(len(joint), np.nan)
    if n_baskets:
        p = fisher_p(n_baskets, joint, antecedent, consequent)
        adjusted = adjusted_p(p, correction)
    is_rule = of_all("confident").astype(bool)
    joint, antecedent, consequent = joint[is_rule], antecedent[is_rule], consequent[is_rule]
    supports = [counts / (n_baskets or 1) for counts in (joint, antecedent, consequent)]

    sides = [side for part in parts for side in part.rules()]
    columns = {
        "antecedents": named([items for _, items, _ in sides], names),
        "consequents": named([items for _, _, items in sides], names),
        "antecedent support": supports[1],
        "consequent support": supports[2],
        "support": supports[0],
        **rule_measures(*supports),
        "confidence": joint / antecedent,  # of whole numbers: 3 of 4 is 0.75
        "p_value": p[is_rule],
        "adjusted_p_value": adjusted[is_rule],
    }
    keys = [(len(a) + len(b), itemset, len(b)) for itemset, a, b in sides]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    rules = pd.DataFrame(columns).iloc[order].reset_index(drop=True)
    return rules.assign(redundant=redundant(rules))


def redundant(rules: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which rules have a more general one of at least their confidence.

    It has the same consequent, and fewer items in its antecedent.

    Examples
    --------
    >>> antecedents, consequents = [("a",), ("a", "b")], [("c",), ("c",)]
    >>> columns = {"antecedents": antecedents, "consequents": consequents, "confidence": [0.8, 0.8]}
    >>> redundant(pd.DataFrame(columns)).tolist()
    [False, True]
    """
    is_redundant = np.zeros(len(rules), bool)
    confidence = rules["confidence"].to_numpy(float)
    groups: dict[Any, list[int]] = {}
    for i, consequent in enumerate(rules["consequents"]):
        groups.setdefault(frozenset(consequent), []).append(i)
    antecedents = list(rules["antecedents"])
    column = {item: j for j, item in enumerate({item for items in antecedents for item in items})}
    for members in map(np.array, groups.values()):
        items = [[column[item] for item in antecedents[i]] for i in members]
        matrix = np.zeros((len(members), len(column)), bool, order="F")
        for row, own in enumerate(items):
            matrix[row, own] = True
        size = matrix.sum(axis=1)
        for i, own in zip(members, items, strict=True):
            look()
            is_general = (matrix[:, own].sum(axis=1) == size) & (size < len(own))
            enough = confidence[members[is_general]] >= confidence[i] - ROUNDING
            is_redundant[i] = bool(enough.any())
    return is_redundant


def named(sets: list[list[int]], names: list[Any]) -> list[tuple[Any, ...]]:
    """Return item sets by the names of their items."""
    return [tuple(names[j] for j in items) for items in sets]
