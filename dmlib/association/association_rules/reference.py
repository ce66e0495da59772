"""The same rules by mlxtend, and the code that asks it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dmlib.association.association_rules.measures import MEASURES
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run

NOT_INSTALLED = "mlxtend is not installed here. Install it with pip install mlxtend."
FILTERED = "mlxtend has no filter of redundant or insignificant rules. Keep all rules to compare."
MOST_TESTED = 20_000  # rules for which mlxtend takes seconds
SLACK = 1e-9  # its confidences are quotients of rounded supports


def rules_reference(run: Run) -> Answers:
    """Return the rules by mlxtend, with the attributes of :class:`dmlib.association.AssociationRules`.

    Raises
    ------
    Incomparable
        If mlxtend is not installed, or cannot repeat the run.
    """
    model = run.fitted
    if model.drop_redundant or model.significant_only:
        raise Incomparable(FILTERED)
    if model.n_tested_ > MOST_TESTED:
        raise Incomparable(
            f"{model.n_tested_:,} rules were tested; for so many mlxtend takes too long."
        )
    try:
        sets, rules = mlxtend_rules(run.problem.data, model)
    except ImportError:
        raise Incomparable(NOT_INSTALLED) from None
    measures = rules[["support", *MEASURES]].to_numpy(float)
    values = {"n_itemsets_": len(sets), "n_rules_": len(rules), "measures_": measures}
    return Answers("mlxtend.frequent_patterns.association_rules", values)


def mlxtend_rules(X: pd.DataFrame, model: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the frequent item sets and the rules by mlxtend, the rules in the order of ``model.rules_``.

    Parameters
    ----------
    X : DataFrame of bool
        The baskets.
    model : AssociationRules or MultipleSupportApriori
        Fitted. With several minimum supports, all item sets above the lowest are mined, and those
        kept that reach the lowest minimum of their items.
    """
    from mlxtend.frequent_patterns import association_rules, fpgrowth

    several = getattr(model, "min_supports_", [getattr(model, "min_support", 0.0)] * X.shape[1])
    least = dict(zip(X.columns, several, strict=True))
    # By an item alone no rule can be less frequent than by one basket.
    mined = fpgrowth(
        X, max(min(several), 1 / len(X)) - SLACK, max_len=model.max_length, use_colnames=True
    )
    lowest = [min(map(least.__getitem__, items)) for items in mined["itemsets"]]
    sets = mined[mined["support"].to_numpy() >= np.array(lowest, float) - SLACK]
    names = ["antecedents", "consequents", "support", *MEASURES]
    if not model.n_tested_:
        return sets, pd.DataFrame(columns=names)
    rules = association_rules(
        mined, metric="confidence", min_threshold=model.min_confidence - SLACK
    )
    s, a, b = (rules[name] for name in ("support", "antecedent support", "consequent support"))
    rules = rules.assign(imbalance_ratio=(a - b).abs() / (a + b - s))
    frequent = set(sets["itemsets"])
    both = [
        a | b in frequent for a, b in zip(rules["antecedents"], rules["consequents"], strict=True)
    ]
    rules = rules[np.array(both) & (rules[model.metric] >= model.min_threshold - SLACK)]
    ours = {
        (frozenset(a), frozenset(b)): i
        for i, (a, b) in enumerate(model.rules_[["antecedents", "consequents"]].to_numpy())
    }
    place = [
        ours.get(rule, len(ours))
        for rule in zip(rules["antecedents"], rules["consequents"], strict=True)
    ]
    return sets, rules.assign(place=place).sort_values("place", kind="stable")[names]


def rules_code(run: Run) -> str:
    """Return code that asks mlxtend as ``reference`` about ``X``, after ``model``."""
    filtered = run.model.drop_redundant or run.model.significant_only
    return f"""
# The same rules with mlxtend{", which keeps redundant and insignificant ones" if filtered else ""}
from types import SimpleNamespace

from dmlib.association.association_rules.reference import mlxtend_rules

sets, rules = mlxtend_rules(X, model)
reference = SimpleNamespace(n_itemsets_=len(sets), n_rules_=len(rules))
"""
