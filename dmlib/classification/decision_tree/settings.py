"""The parameters of a decision tree as rules of growth, checked against the data."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.params import Conditions, Param, check_params
from dmlib.trees.frontier import Table
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.rules import Rules

ALIASES = {"criterion": {"log_loss": "entropy"}, "splitter": {"best": "binary"}}
"""Names of scikit-learn that differ from ours."""

APPLIES: Conditions = {
    "min_bucket": ("numeric", ("buckets",)),
    "statistic": ("criterion", ("chaid",)),
    "alpha_merge": ("criterion", ("chaid",)),
    "alpha_split": ("criterion", ("chaid", "quest")),
    "ccp_alpha": ("pruning", ("cost_complexity", "error_complexity")),
    "confidence": ("pruning", ("error_based",)),
}
"""The parameters that only some criteria, splits and prunings have."""


def growth_rules(
    params: Mapping[str, Param], values: Mapping[str, Any], table: Table, weights: Floats
) -> Rules:
    """Check parameters against their specifications and the data, and return the rules of growth.

    Raises
    ------
    ValueError
        If a parameter is out of range or does not fit the data.
    """
    values = dict(values)
    for name, words in ALIASES.items():
        if isinstance(values[name], str):
            values[name] = words.get(values[name], values[name])
    for name, minimum in (("min_samples_split", 2), ("min_samples_leaf", 1)):
        if isinstance(values[name], float | np.floating) and 0 < values[name] <= 1:
            values[name] = max(minimum, int(np.ceil(values[name] * table.size)))
    check_params(params, values)
    tested = values["criterion"] in ("chaid", "quest")
    rules = Rules(
        values["criterion"],
        values["splitter"] == "multiway",
        values["numeric"],
        values["min_bucket"],
        values["missing"] == "surrogate",
        values["missing"] == "category",
        values["alpha_merge"],
        values["alpha_split"],
        np.inf if values["max_depth"] is None else values["max_depth"],
        values["min_samples_split"],
        values["min_samples_leaf"],
        values["min_weight_fraction_leaf"] * weights.sum(),
        max(values["min_gain"], -log10(values["alpha_split"])) if tested else values["min_gain"],
        values["min_impurity_decrease"],
        n_features(values["max_features"], len(table.n_values)),
        values["statistic"],
        values["leaf_penalty"],
    )
    _check_fit(rules, table)
    return rules


def n_features(max_features: Any, n_columns: int) -> int:
    """Return the number of columns that a node may choose among.

    Raises
    ------
    ValueError
        If ``max_features`` is no such number.
    """
    if max_features is None:
        return n_columns
    if isinstance(max_features, str) and max_features in ("sqrt", "log2"):
        return max(1, int(np.sqrt(n_columns) if max_features == "sqrt" else np.log2(n_columns)))
    is_integer = isinstance(max_features, int | np.integer) and not isinstance(max_features, bool)
    if is_integer and max_features >= 1:
        return min(int(max_features), n_columns)
    if isinstance(max_features, float) and 0 < max_features <= 1:
        return max(1, int(max_features * n_columns))
    raise ValueError(
        "max_features must be a whole number from 1, a share above 0 up to 1, sqrt, log2 or None; "
        f"it was {max_features!r}."
    )


def _check_fit(of: Rules, table: Table) -> None:
    """Refuse combinations of criterion, splits and data that are not defined.

    Raises
    ------
    ValueError
        With what to choose instead.
    """
    several = of.numeric == "buckets" or (of.multiway and any(table.n_values))
    several = of.criterion == "chaid" or (several and not of.tested)
    criterion = CRITERIA[of.criterion]
    if criterion.two_classes and table.n_classes > 2:
        raise ValueError(
            f"The criterion {of.criterion} compares two classes, but there are {table.n_classes}; "
            "choose gini, entropy or twoing, or data with two classes."
        )
    if criterion.two_branches and several:
        raise ValueError(
            f"The criterion {of.criterion} compares two branches; choose binary splits, or another"
            " criterion."
        )
    if of.surrogates and of.criterion == "chaid":
        raise ValueError(
            "The splits of chaid have no surrogates; choose missing='category' or"
            " missing='fractional'."
        )
    if of.surrogates and several:
        raise ValueError(
            "Surrogates stand in for splits into two; choose binary splits, or"
            " missing='fractional'."
        )
