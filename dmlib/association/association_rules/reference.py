"""The same rules by mlxtend, and the code that asks it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from dmlib.association.association_rules.measures import MEASURES
from dmlib.association.association_rules.multiple_support import MultipleSupportApriori
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run

NOT_INSTALLED = "mlxtend is not installed here. Install it with pip install mlxtend."
MOST_TESTED = 20_000  # mlxtend takes a minute for more rules
SLACK = 1e-9  # its confidences are quotients of rounded supports


def rules_reference(run: Run) -> Answers:
    """Return the rules by mlxtend, with the attributes of :class:`dmlib.association.AssociationRules`.

    Raises
    ------
    Incomparable
        If mlxtend is not installed, or cannot repeat the run.
    """
    try:
        import mlxtend.frequent_patterns  # noqa: F401 -- whether it is there
    except ImportError:
        raise Incomparable(NOT_INSTALLED) from None
    model = run.fitted
    if model.n_tested_ > MOST_TESTED:
        raise Incomparable(f"{model.n_tested_:,} rules were tested; for so many mlxtend takes too long.")
    if model.drop_redundant or model.alpha < 1:
        raise Incomparable("mlxtend knows neither redundant rules nor significance. Keep both, and it can be asked.")
    sets = frequent_sets(run.problem.data, model)
    found = rules_by_mlxtend(sets, model)
    values = {"n_itemsets_": len(sets), "n_rules_": len(found), "measures_": found.to_numpy(float)}
    return Answers("mlxtend.frequent_patterns.association_rules", values)


def frequent_sets(X: pd.DataFrame, model: Any) -> pd.DataFrame:
    """Return the frequent item sets by mlxtend.

    Parameters
    ----------
    X : DataFrame of bool
        The baskets.
    model : AssociationRules or MultipleSupportApriori
        Fitted; of the latter, item sets above the lowest minimum support are mined, and those kept that reach the lowest
        one of their items.
    """
    from mlxtend.frequent_patterns import fpgrowth

    several = isinstance(model, MultipleSupportApriori)
    # An item that no set may hold has no say in what the lowest minimum is.
    least = max(model.min_supports_.min(), 1 / len(X)) - SLACK if several else model.min_support
    found = fpgrowth(X, min_support=least, max_len=model.max_length, use_colnames=True)
    if several:
        minimum = dict(zip(X.columns, model.min_supports_, strict=True))
        thresholds = [min(minimum[item] for item in items) for items in found["itemsets"]]
        found = found[found["support"].to_numpy() >= np.array(thresholds) - SLACK]
    return found


def rules_by_mlxtend(found: pd.DataFrame, model: Any) -> pd.DataFrame:
    """Return support and measures of the rules of item sets, in the order of ``model.rules_``."""
    from mlxtend.frequent_patterns import association_rules

    names = ["support", *MEASURES]
    if not len(found) or not model.n_tested_:
        return pd.DataFrame(columns=names, dtype=float)
    supports = dict(zip(found["itemsets"], found["support"], strict=True))
    sides = {frozenset(s) for name in ("antecedents", "consequents") for s in model.rules_[name]}
    more = [s for s in sides if s not in supports]  # antecedents that are not frequent by themselves
    given = dict(zip(map(frozenset, model.rules_["antecedents"]), model.rules_["antecedent support"], strict=True))
    given |= dict(zip(map(frozenset, model.rules_["consequents"]), model.rules_["consequent support"], strict=True))
    extra = pd.DataFrame({"support": [given[s] for s in more], "itemsets": more})
    rules = association_rules(pd.concat([found, extra]), metric="confidence", min_threshold=model.min_confidence - SLACK)
    return rules
