"""Ranges of association rules that fit the baskets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.association.association_rules.measures import rule_measures
from dmlib.association.ranges import LONGEST, itemset_ranges
from dmlib.params import Range, rounded

MOST = 200  # positions of a slider


def rule_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the supports, confidences and values of the chosen measure that the rules of two items have.

    Examples
    --------
    >>> from dmlib.association import AssociationRules
    >>> rule_ranges(AssociationRules(), [[True, True], [True, False]])["min_confidence"]
    (0.5, 1.0)
    """
    baskets = np.asarray(X, bool).astype(float)
    together = baskets.T @ baskets / len(baskets)
    single = together.diagonal()
    first, second = np.nonzero((together > 0) & ~np.eye(len(single), dtype=bool))
    found = rule_measures(together[first, second], single[first], single[second])
    enough = found["confidence"] >= model.min_confidence
    values = {"min_confidence": found["confidence"], "min_threshold": found[model.metric][enough]}
    least = getattr(model, "min_support", 0.0) or model.least_support
    ranges = itemset_ranges(model, X) | {name: _positions(value) for name, value in values.items()}
    return ranges | {"max_length": (1, _longest(baskets[:, single >= least], least))}


def _longest(baskets: NDArray[np.float64], least: float) -> int:
    """Return a size that no frequent item set exceeds: so many baskets hold so many frequent items."""
    sizes = np.sort(baskets.sum(axis=1))[::-1]
    enough = max(1, math.ceil(least * len(sizes) - 1e-9))
    return int(max(2, min(LONGEST, sizes[enough - 1])))


def _positions(values: NDArray[np.float64]) -> Range:
    """Return the different values, rounded down so that they are reached; of many, those at even ranks."""
    finite = values[np.isfinite(values)]
    places = np.unique(
        [math.copysign(rounded(abs(v), 4, math.floor if v > 0 else math.ceil), v) for v in finite]
    )
    if len(places) > MOST:
        places = places[np.unique(np.linspace(0, len(places) - 1, MOST).astype(int))]
    return tuple(places.tolist()) if len(places) > 1 else ()
