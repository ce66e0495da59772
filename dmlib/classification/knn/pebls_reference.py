"""The same nearest exemplars by scikit-learn's distances, and the code that asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.run import Run

EQUAL = 1e-12  # distances that differ by a smaller share differ by rounding only


def pebls_reference(run: Run) -> Any:
    """Return scikit-learn's KNeighborsClassifier, fitted to the shares of the classes at each value of ``X``.

    It knows neither weights nor an order of equally near rows: both are put to its distances here,
    and the one neighbour that is left votes.
    """
    model, (X, y) = run.model, run.problem.training.arguments
    import pandas as pd
    from sklearn.metrics import pairwise_distances
    from sklearn.neighbors import KNeighborsClassifier

    stored = coordinates(X, X, y)
    weights = np.ones(len(stored))
    if model.weighted and len(stored) > 1:
        D = pairwise_distances(stored, metric="manhattan")
        np.fill_diagonal(D, np.inf)
        uses = pd.DataFrame(
            {"row": _first(D), "right": np.asarray(y)[_first(D)] == np.asarray(y)}
        ).groupby("row")
        counted = uses["right"].agg(["size", "sum"]).reindex(range(len(stored)), fill_value=0)
        weights = ((counted["size"] + 1) / (counted["sum"] + 1)).to_numpy()
    reference = KNeighborsClassifier(1, algorithm="kd_tree", metric="manhattan").fit(stored, y)

    def kneighbors(rows: Any, return_distance: bool = True) -> Any:
        D = pairwise_distances(coordinates(rows, X, y), stored, metric="manhattan") * weights
        nearest = _first(D)[:, None]
        return (np.take_along_axis(D, nearest, axis=1), nearest) if return_distance else nearest

    reference.kneighbors = kneighbors
    return reference


def coordinates(rows: Any, X: Any, y: Any) -> Any:
    """Return the shares of the classes, counted in ``X, y``, at the values of ``rows``; numbers by their range."""
    import pandas as pd

    parts = []
    for (_, new), (_, old) in zip(pd.DataFrame(rows).items(), pd.DataFrame(X).items(), strict=True):
        if isinstance(old.dtype, pd.CategoricalDtype):
            shares = pd.crosstab(old.to_numpy(), np.asarray(y), normalize="index")
            prior = pd.Series(np.asarray(y)).value_counts(normalize=True).sort_index()
            known = shares.reindex(new.astype(object)).to_numpy()
            parts.append(np.where(np.isnan(known), prior.to_numpy(), known))
        else:
            parts.append(new.to_numpy(float)[:, None] / (float(np.ptp(old)) or 1.0))
    return np.hstack(parts)


def _first(D: Any) -> Any:
    """Return the place of the smallest distance of each row; of equal ones the first."""
    nearest = D.min(axis=1, keepdims=True) * (1 + EQUAL)
    return (nearest >= D).argmax(axis=1)


def pebls_code(run: Run) -> str:
    """Return code that fits scikit-learn's nearest neighbour as ``reference`` to ``X, y``, after ``model``."""
    model = run.model
    more = " It has no weights of exemplars." if model.weighted else ""
    return f"""
# The same distances with scikit-learn: a value becomes the shares of the classes that it goes
# with.{more} Equally near rows may be taken in another order.
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier as Reference


def shares(column):
    if column.dtype == "category":
        return pd.crosstab(column.to_numpy(), y, normalize="index").loc[list(column)].to_numpy()
    return column.to_numpy()[:, None] / (column.max() - column.min() or 1)


numbers = pd.concat([pd.DataFrame(shares(column)) for _, column in pd.DataFrame(X).items()], axis=1).to_numpy()
reference = Reference(1, metric="manhattan").fit(numbers, y)
print("Training error:", (model.predict(X) != y).mean())
print("Training error, by the library:", (reference.predict(numbers) != y).mean())
"""
