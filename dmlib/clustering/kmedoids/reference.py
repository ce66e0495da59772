"""The total deviation of the medoids of k-medoids, by scikit-learn: no library that is installed searches for them."""

from __future__ import annotations

from inspect import getsource
from typing import Any

import numpy as np
import pandas as pd

from dmlib.comparison import Answers
from dmlib.pictures.run import Run

NOTE = (
    "scikit-learn has no k-medoids: it assigns the rows to our medoids and adds their distances,"
    " but does not search for better ones."
)


def gower_rows(X: Any) -> Any:
    """Return rows whose Manhattan distances are the sums of Gower's terms: numbers by range, names as halves."""
    frame = pd.DataFrame(X)
    numbers = frame.select_dtypes("number")
    spans = (numbers.max() - numbers.min()).replace(0, np.inf)
    names = [
        pd.get_dummies(frame[name], dtype=float) / 2
        for name in frame.columns.difference(numbers.columns)
    ]
    return np.hstack([numbers / spans, *names])


def kmedoids_reference(run: Run) -> Any:
    """Return the total deviation of the medoids by scikit-learn's distances."""
    from sklearn.metrics import pairwise_distances_argmin_min

    X, medoids, metric = run.problem.X, run.fitted.medoid_indices_, run.fitted.metric
    n = 1
    if metric == "gower":
        X, n, metric = gower_rows(run.problem.data), X.shape[1], "manhattan"
    near = pairwise_distances_argmin_min(X, X[medoids], metric=metric)[1] / n
    return Answers("pairwise_distances_argmin_min", {"inertia_": float(near.sum())}, NOTE)


def kmedoids_code(run: Run) -> str:
    """Return code that makes ``reference`` from the medoids of ``model``."""
    metric, rows, mean, more = repr(run.model.metric), "X", "distances.sum()", ""
    if run.model.metric == "gower":
        own = getsource(gower_rows).replace(": Any", "").replace(" -> Any", "")
        more = f"import numpy as np\nimport pandas as pd\n\n\n{own}\n\nrows = gower_rows(X)"
        metric, rows, mean = "'manhattan'", "rows", "distances.sum() / X.shape[1]"
    return f"""
# scikit-learn has no k-medoids; this assigns the rows to the medoids and adds their distances
from types import SimpleNamespace

from sklearn.metrics import pairwise_distances_argmin_min
{more}
nearest, distances = pairwise_distances_argmin_min({rows}, {rows}[model.medoid_indices_], metric={metric})
reference = SimpleNamespace(inertia_={mean})
"""
