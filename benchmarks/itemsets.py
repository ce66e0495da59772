"""Time of Apriori and FP-growth beside mlxtend's: ``python -m benchmarks itemsets``."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import apriori, fpgrowth

from benchmarks.algorithms import in_turn
from dmlib.association import AIS, SETM, Apriori, AprioriHybrid, AprioriTid, FPGrowth

N_BASKETS, N_ITEMS = 10_000, 100
SUPPORTS = (0.1, 0.05)
PAIRS = 3
METHODS = {
    Apriori: (apriori, 0.5),
    AprioriTid: (apriori, 0.5),
    AprioriHybrid: (apriori, 0.5),
    AIS: (apriori, 0.5),
    SETM: (apriori, 0.5),
    FPGrowth: (fpgrowth, 1.0),
}
"""The reference of each method, and the ratio that it must not exceed."""


def baskets() -> pd.DataFrame:
    """Return baskets of independent items, rare ones and such as are in 40 % of the baskets."""
    rng = np.random.default_rng(0)
    chance = 0.4 * rng.random(N_ITEMS) ** 2
    return pd.DataFrame(rng.random((N_BASKETS, N_ITEMS)) < chance).add_prefix("item ")


def main() -> dict[str, list[dict[str, Any]]]:
    """Measure each method at each support; the ratio is ours / mlxtend's, of calls made in turn."""
    X, rows = baskets(), []
    for min_support in SUPPORTS:
        frame = apriori(X, min_support=min_support, use_colnames=True)
        theirs = dict(zip(frame["itemsets"], frame["support"], strict=True))
        for method, (reference, target) in METHODS.items():
            model = method(min_support).fit(X)
            ours, reference_seconds, ratio = in_turn(
                partial(model.fit, X), partial(reference, X, min_support=min_support), PAIRS
            )
            rows.append(
                {
                    "method": method.__name__,
                    "min_support": min_support,
                    "item sets": model.n_itemsets_,
                    "candidates": getattr(model, "n_candidates_", 0),
                    "equal": dict(zip(map(frozenset, model.itemsets_), model.support_, strict=True))
                    == theirs,
                    "ms": 1e3 * ours,
                    "ms mlxtend": 1e3 * reference_seconds,
                    "ratio": ratio,
                    "target": target,
                }
            )
    return {f"Item sets of {N_BASKETS} baskets, {N_ITEMS} items": rows}
