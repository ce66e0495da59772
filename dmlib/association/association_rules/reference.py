"""Association rules by mlxtend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dmlib.arrays import Floats
from dmlib.association.association_rules.algorithm import AssociationRules
from dmlib.association.association_rules.multiple_support import MultipleSupportApriori
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem

FILTERED = "mlxtend has no filter of redundant or insignificant rules. Keep all rules to compare."
MAX_TESTED = 20_000  # rules for which mlxtend takes seconds


def find_rules(
    X: pd.DataFrame,
    rules_: pd.DataFrame,
    min_supports: Any,
    max_length: int | None,
    min_confidence: float,
    metric: str,
    min_threshold: float,
) -> Any:
    """Find the rules with mlxtend, and sort them like those of the model."""
    import pandas as pd
    from mlxtend.frequent_patterns import association_rules, fpgrowth

    from dmlib.comparison import Answers

    slack = 1e-9  # mlxtend's confidences are quotients of rounded supports
    minimum = dict(zip(X.columns, np.broadcast_to(min_supports, X.shape[1]), strict=True))
    # A rule is in at least one basket.
    lowest = max(min(minimum.values()), 1 / len(X)) - slack
    mined = fpgrowth(X, min_support=lowest, max_len=max_length, use_colnames=True)
    reached = [min(minimum[item] for item in items) - slack for items in mined["itemsets"]]
    sets = mined[mined["support"] >= reached]
    frequent = set(sets["itemsets"])

    measures = ["confidence", "lift", "leverage", "conviction", "zhangs_metric", "kulczynski"]
    rules = pd.DataFrame(columns=[*measures, "support", "imbalance_ratio"])
    if any(len(items) > 1 for items in frequent):
        rules = association_rules(mined, min_threshold=min_confidence - slack)
        s, a, b = rules["support"], rules["antecedent support"], rules["consequent support"]
        rules["imbalance_ratio"] = (a - b).abs() / (a + b - s)
        pairs = list(zip(rules["antecedents"], rules["consequents"], strict=True))
        sides = zip(rules_["antecedents"], rules_["consequents"], strict=True)
        place = {(frozenset(a), frozenset(b)): i for i, (a, b) in enumerate(sides)}
        rules["place"] = [place.get(pair, len(place)) for pair in pairs]
        is_frequent = np.array([a | b in frequent for a, b in pairs], bool)
        rules = rules[is_frequent & (rules[metric] >= min_threshold - slack)]
        rules = rules.sort_values("place", kind="stable")
    values = {
        "n_itemsets_": len(sets),
        "n_rules_": len(rules),
        "measures_": rules[["support", *measures, "imbalance_ratio"]].to_numpy(float),
    }
    return Answers("mlxtend.frequent_patterns.association_rules", values)


def rules_reference(
    run: Run[BasketsProblem, AssociationRules | MultipleSupportApriori],
) -> Reference:
    """Return the same rules by mlxtend.

    Raises
    ------
    Incomparable
        If rules are filtered in a way that mlxtend does not have, or are too many.
    """
    model = run.fitted
    if model.drop_redundant or model.significant_only:
        raise Incomparable(FILTERED)
    if model.n_tested_ > MAX_TESTED:
        raise Incomparable(
            f"{model.n_tested_:,} rules were tested; for so many mlxtend takes too long."
        )
    min_supports: float | Floats = (
        model.min_support if isinstance(model, AssociationRules) else model.min_supports_
    )
    return Reference(
        find_rules,
        "X",
        "model.rules_",
        min_supports=min_supports,
        max_length=model.max_length,
        min_confidence=model.min_confidence,
        metric=model.metric,
        min_threshold=model.min_threshold,
    )
