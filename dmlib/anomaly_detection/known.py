"""Known anomalies: which class they are, and how well scores and marks find them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.evaluation import roc_curve
from dmlib.problem import Problem

OUTLIER = "outlier"  # the class that generators give to rows that they add at random
RARE = 0.1  # a class with at most this share of the rows is taken for the anomalies


def likely_class(problem: Problem) -> str:
    """Return the class that is taken for the anomalies: that of outliers, or a rare one; or "".

    Examples
    --------
    >>> from dmlib.datasets import make
    >>> from dmlib.problem import prepare
    >>> frame = make("blobs", n_samples=50, n_outliers=3).frame
    >>> likely_class(prepare(frame, ["x", "y"], target="class"))
    'outlier'
    """
    if problem.y is None or not problem.classes:
        return ""
    if OUTLIER in problem.classes:
        return OUTLIER
    counts = np.bincount(problem.y, minlength=len(problem.classes))
    rarest = int(np.where(counts > 0, counts, len(problem.y)).argmin())
    return problem.classes[rarest] if counts[rarest] <= RARE * len(problem.y) else ""


def known_anomalies(y: ArrayLike | None, number: int) -> NDArray[np.bool_] | None:
    """Return which rows are of a class, by its number from 1; None where not some rows are.

    Examples
    --------
    >>> known_anomalies([0, 1, 0], 2).tolist(), known_anomalies([0, 1, 0], 0)
    ([False, True, False], None)
    """
    if y is None or not number:
        return None
    mask: NDArray[np.bool_] = np.asarray(y) == number - 1
    return mask if mask.any() and not mask.all() else None


def quality(
    scores: Floats, anomalies: NDArray[np.bool_], is_known: NDArray[np.bool_] | None
) -> dict[str, Any]:
    """Return precision and recall of marks, and the area under the ROC curve of scores.

    None of what is not defined: all of them where no anomalies are known, the precision where no
    row is marked.

    Examples
    --------
    >>> known = np.array([False, False, True])
    >>> quality(np.array([1.0, 2.0, 9.0]), np.array([False, True, True]), known)
    {'precision': 0.5, 'recall': 1.0, 'auc': 1.0}
    """
    if is_known is None:
        return {"precision": None, "recall": None, "auc": None}
    hits, n_marked = int((is_known & anomalies).sum()), int(anomalies.sum())
    return {
        "precision": hits / n_marked if n_marked else None,
        "recall": hits / int(is_known.sum()),
        "auc": roc_curve(is_known, scores).auc,
    }
