"""Time of Apriori beside mlxtend's on the same baskets, with equal item sets: ``python -m benchmarks itemsets``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import apriori as reference

from benchmarks.algorithms import in_turn
from dmlib.association import AIS, Apriori, AprioriTid

N_BASKETS, N_ITEMS = 10_000, 100
SUPPORTS = (0.1, 0.05)
PAIRS = 3
TARGET = 0.5


def baskets() -> pd.DataFrame:
    """Return baskets of items between rare and frequent (at most 40% of the baskets), independent of each other."""
    rng = np.random.default_rng(0)
    chance = 0.4 * rng.random(N_ITEMS) ** 2
    return pd.DataFrame(rng.random((N_BASKETS, N_ITEMS)) < chance).add_prefix("item ")


def main() -> dict[str, list[dict[str, Any]]]:
    """Measure each method at each support; the ratio is ours / mlxtend's, of calls made in turn."""
    X, rows = baskets(), []
    for min_support in SUPPORTS:
        found = reference(X, min_support=min_support, use_colnames=True)
        theirs = dict(zip(found["itemsets"], found["support"], strict=True))
        for method in (Apriori, AprioriTid, AIS):
            model = method(min_support).fit(X)
            ours, other, ratio = in_turn(
                lambda model=model: model.fit(X),  # type: ignore[misc]
                lambda support=min_support: reference(X, min_support=support),  # type: ignore[misc]
                PAIRS,
            )
            rows.append(
                {
                    "method": method.__name__,
                    "min_support": min_support,
                    "item sets": model.n_itemsets_,
                    "candidates": model.n_candidates_,
                    "equal": dict(zip(map(frozenset, model.itemsets_), model.support_, strict=True)) == theirs,
                    "ms": 1e3 * ours,
                    "ms mlxtend": 1e3 * other,
                    "ratio": ratio,
                    "target": TARGET,
                }
            )
    return {f"Item sets of {N_BASKETS} baskets, {N_ITEMS} items": rows}
