"""The total deviation of the medoids by scikit-learn, which has no search for medoids."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.kmedoids.algorithm import KMedoids
from dmlib.comparison import Answers
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def gower_rows(X: Any) -> Floats:
    """Return rows whose Manhattan distances are the sums of Gower's terms.

    Numbers are divided by their range; names become indicators of a half.
    """
    import pandas as pd

    frame = pd.DataFrame(X)
    numbers = frame.select_dtypes("number")
    spans = (numbers.max() - numbers.min()).replace(0, np.inf)
    names = [
        pd.get_dummies(frame[name], dtype=float) / 2
        for name in frame.columns.difference(numbers.columns)
    ]
    return np.hstack([numbers / spans, *names])


def assign_to_medoids(X: Any, medoids: NDArray[np.intp], metric: str) -> Answers:
    """Assign the rows to our medoids and add up their distances by scikit-learn."""
    from sklearn.metrics import pairwise_distances_argmin_min

    from dmlib.comparison import Answers

    n_terms = 1
    if metric == "gower":
        X, n_terms, metric = gower_rows(X), X.shape[1], "manhattan"
    distances = pairwise_distances_argmin_min(X, X[medoids], metric=metric)[1] / n_terms
    note = "scikit-learn has no k-medoids: it does not search for better medoids."
    return Answers("pairwise_distances_argmin_min", {"inertia_": distances.sum()}, note)


def kmedoids_reference(run: Run[Problem, KMedoids]) -> Reference:
    """Return the total deviation of the medoids by scikit-learn."""
    metric = run.model.metric
    helpers = (gower_rows,) if metric == "gower" else ()
    return Reference(
        assign_to_medoids, "X", "model.medoid_indices_", helpers=helpers, metric=metric
    )
