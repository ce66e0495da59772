"""The criterion and the stopping rules of a growing tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SLACK = 1e-9
"""Sums of parts of rows may be so much too small by rounding."""


@dataclass(frozen=True)
class Rules:
    """How splits are compared, which are allowed, and when a node stays a leaf."""

    criterion: str = "gini"
    multiway: bool = False  # whether a nominal column has a branch for each value, not only two
    numeric: str = "midpoint"  # "midpoint", "c45", "buckets": how numeric columns are cut
    min_bucket: int = 6  # the rows of one class that fill a bucket
    # whether rows without a value follow other columns, rather than go down all branches in parts
    surrogates: bool = False
    category: bool = False  # whether missing is a value of its own
    # for tests of significance: values are merged if the p-value of their difference is larger, and
    # a column is significant if its p-value is no larger
    alpha_merge: float = 0.05
    alpha_split: float = 0.05
    max_depth: float = float("inf")  # the largest depth of a leaf
    # a node with fewer rows is not split; at least two branches must have so many rows
    min_samples_split: float = 2.0
    min_samples_leaf: float = 1.0
    min_weight_leaf: float = 0.0  # they must also have so much weight
    # the minimum score of a split; its minimum impurity decrease, times the node's share of all
    # weight
    min_gain: float = 0.0
    min_impurity_decrease: float = 0.0
    max_features: int = 2**31  # how many columns, drawn at random, a node may choose from
    statistic: str = "pearson"  # by which "chaid" compares groups: a name in ``STATISTICS``
    # the errors that each leaf adds to the estimated ones, which a split has to lower; None: it
    # does not have to
    leaf_penalty: float | None = None

    @property
    def tested(self) -> bool:
        """Whether columns compete by tests of significance, which find their own splits."""
        return self.criterion in ("chaid", "quest")

    @property
    def alike(self) -> bool:
        """Whether they do not depend on the rows, so that several trees can be grown together."""
        of_weight = self.min_weight_leaf > 0 or self.min_impurity_decrease > 0
        return not (self.tested or self.surrogates or of_weight)

    @property
    def bounded(self) -> bool:
        """Whether a branch of a single row may be too small."""
        return self.min_samples_leaf > 1 or self.min_weight_leaf > 0

    def enough(self, sizes: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which branches have enough rows, and enough weight."""
        large: NDArray[np.bool_] = sizes >= self.min_samples_leaf - SLACK
        if self.min_weight_leaf > 0:
            large &= weights >= self.min_weight_leaf - SLACK
        return large
