"""What a tree may look like while it grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SLACK = 1e-9
"""Sums of parts of rows may be so much too small by rounding."""


@dataclass(frozen=True)
class Rules:
    """How splits are compared, which are allowed, and when a node stays a leaf.

    Attributes
    ----------
    criterion : str
        How splits are compared.
    multiway : bool
        Whether a nominal column has a branch for each value, rather than two branches.
    numeric : {"midpoint", "c45", "buckets"}
        How numeric columns are cut.
    min_bucket : int
        The rows of one class that fill a bucket.
    surrogates : bool
        Whether rows without a value follow other columns, rather than go down all branches in parts.
    category : bool
        Whether missing is a value of its own.
    alpha_merge, alpha_split : float
        For tests of significance: values are merged if the p-value of their difference is larger, and a column is
        significant if its p-value is no larger.
    max_depth : float
        The largest depth of a leaf.
    min_samples_split, min_samples_leaf : float
        A node with fewer rows is not split; at least two branches must have so many rows.
    min_weight_leaf : float
        They must also have so much weight.
    min_gain, min_impurity_decrease : float
        The least score of a split; the least reduction of impurity, times the node's share of all weight.
    max_features : int
        How many columns, drawn at random, a node may choose from.
    """

    criterion: str = "gini"
    multiway: bool = False
    numeric: str = "midpoint"
    min_bucket: int = 6
    surrogates: bool = False
    category: bool = False
    alpha_merge: float = 0.05
    alpha_split: float = 0.05
    max_depth: float = float("inf")
    min_samples_split: float = 2.0
    min_samples_leaf: float = 1.0
    min_weight_leaf: float = 0.0
    min_gain: float = 0.0
    min_impurity_decrease: float = 0.0
    max_features: int = 2**31

    @property
    def tested(self) -> bool:
        """Whether columns compete by tests of significance, which find their own splits."""
        return self.criterion in ("chaid", "quest")

    def enough(self, sizes: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which branches have enough rows, and enough weight."""
        many: NDArray[np.bool_] = sizes >= self.min_samples_leaf - SLACK
        return many & (weights >= self.min_weight_leaf - SLACK) if self.min_weight_leaf > 0 else many
