"""Imputation by scikit-learn, and the whole table without holes."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.preprocessing.missing_values.algorithm import Imputer, ImputerStep
from dmlib.preprocessing.missing_values.prepared import filled_table
from dmlib.problem import Problem

STATISTICS = {"mean": "mean", "median": "median", "mode": "most_frequent"}
"""scikit-learn's names of ours."""


def impute_statistics(X: Any, strategy: str) -> Any:
    """Impute a statistic of each column with scikit-learn."""
    from sklearn.impute import SimpleImputer

    return SimpleImputer(strategy=strategy).fit(X)


def impute_neighbors(X: Any, n_neighbors: int, weights: str) -> Any:
    """Impute the mean of the nearest rows with scikit-learn."""
    from sklearn.impute import KNNImputer

    return KNNImputer(n_neighbors=n_neighbors, weights=weights).fit(X)


def missing_values_reference(run: Run[Problem, Imputer]) -> Reference:
    """Return the same imputer of scikit-learn.

    Raises
    ------
    Incomparable
        If scikit-learn has no such imputer, or ties decide.
    """
    model = run.model
    if model.strategy not in (*STATISTICS, "knn"):
        raise Incomparable(
            f"scikit-learn has no imputer of one pass that does what {model.strategy!r} does."
        )
    if run.problem.categories:
        raise Incomparable(
            "scikit-learn's imputers take numbers and names apart; choose columns of numbers."
        )
    if model.strategy != "knn":
        return Reference(impute_statistics, "X", strategy=STATISTICS[model.strategy])
    if any(step.column >= 0 and _is_tied(run, step) for step in run.trace.steps):
        raise Incomparable(
            "rows are equally far from a hole, so that either may be its last neighbour."
        )
    return Reference(impute_neighbors, "X", n_neighbors=model.n_neighbors, weights=model.weights)


def _is_tied(run: Run[Problem, Imputer], step: ImputerStep) -> bool:
    """Return whether another row with the column is as far as the last neighbour."""
    k = run.model.n_neighbors

    def fit() -> Imputer:
        return Imputer("knn", n_neighbors=k + 1).fit(run.problem.data)

    model = run.once("missing_values.one_more", fit)
    row = run.problem.X[step.row : step.row + 1]
    distances = model.neighbors(row, step.column)[1][0]
    return len(distances) > k and bool(distances[k] <= distances[k - 1] * (1 + 1e-9))


def prepared_table(run: Run[Problem, Imputer], table: Any) -> pd.DataFrame:
    """Return the whole table of a run without holes in its chosen columns."""
    return filled_table(run.problem, table.frame, run.model)


def prepared_code(run: Run[Problem, Imputer]) -> str:
    """Return code that makes this table as ``frame``, after ``table`` and ``model``."""
    return (
        "from dmlib.preprocessing.missing_values.prepared import filled_table\n\n"
        "frame = filled_table(problem, table.frame, model)\n"
    )
