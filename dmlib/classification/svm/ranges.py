"""Ranges of support vector machines that fit the data."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.clustering.ranges import gamma_range
from dmlib.params import Range


def svm_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of gamma by the spread: "scale" is in its middle.

    Examples
    --------
    >>> from dmlib.classification import SVC
    >>> svm_ranges(SVC(), [[0.0], [2.0]])
    {'gamma': (0.01, 100.0)}
    """
    return {"gamma": gamma_range(X)}
