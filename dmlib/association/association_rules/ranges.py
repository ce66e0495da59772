"""Ranges of association rules that fit the baskets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.association.association_rules.measures import rule_measures
from dmlib.association.ranges import MAX_LENGTH, MAX_POSITIONS, itemset_ranges
from dmlib.evenly import positions
from dmlib.params import Range, rounded


def rule_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the supports, confidences and values of the measure that rules of two items have.

    Examples
    --------
    >>> from dmlib.association import AssociationRules
    >>> rule_ranges(AssociationRules(), [[True, True], [True, False]])["min_confidence"]
    (0.5, 1.0)
    """
    baskets = np.asarray(X, bool).astype(float)
    joint = baskets.T @ baskets / len(baskets)
    single = joint.diagonal()
    first, second = np.nonzero((joint > 0) & ~np.eye(len(single), dtype=bool))
    measures = rule_measures(joint[first, second], single[first], single[second])
    is_rule = measures["confidence"] >= model.min_confidence
    min_support = getattr(model, "min_support", 0.0) or model.least_support
    return itemset_ranges(model, X) | {
        "min_confidence": _positions(measures["confidence"]),
        "min_threshold": _positions(measures[model.metric][is_rule]),
        "max_length": (1, _max_length(baskets[:, single >= min_support], min_support)),
    }


def _max_length(baskets: NDArray[np.float64], min_support: float) -> int:
    """Return a size that no frequent item set exceeds: enough baskets hold as many items."""
    sizes = np.sort(baskets.sum(axis=1))[::-1]
    min_count = max(1, math.ceil(min_support * len(sizes) - 1e-9))
    return int(max(2, min(MAX_LENGTH, sizes[min_count - 1])))


def _positions(values: NDArray[np.float64]) -> Range:
    """Return the different values, rounded down so that they are reached; of many, some."""
    places = positions(map(_rounded_down, values[np.isfinite(values)]), MAX_POSITIONS)
    return places if len(places) > 1 else ()


def _rounded_down(value: float) -> float:
    size = rounded(abs(value), 4, math.floor if value > 0 else math.ceil)
    return math.copysign(size, value)
