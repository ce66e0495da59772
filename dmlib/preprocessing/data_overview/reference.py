"""The statistics of columns by pandas."""

from __future__ import annotations

from typing import Any

from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.problem import Problem


def describe_columns(X: Any) -> Any:
    """Describe the columns with pandas; names have none of these statistics."""
    import pandas as pd

    from dmlib.comparison import Answers

    frame = pd.DataFrame(X)
    numbers = frame.select_dtypes(["number", "bool"]).reindex(columns=frame.columns).astype(float)
    statistics = {
        "counts_": frame.count(),
        "mean_": numbers.mean(),
        "median_": numbers.median(),
        "variance_": numbers.var(),
        "range_": numbers.max() - numbers.min(),
        "percentiles_": numbers.quantile([0.1, 0.25, 0.5, 0.75, 0.9]),
        "covariance_": numbers.cov(),
    }
    values = {name: statistic.to_numpy() for name, statistic in statistics.items()}
    return Answers("pandas.DataFrame: count, mean, median, var, max, min, quantile, cov", values)


def overview_reference(run: Run[Problem, ColumnSummary]) -> Reference:
    """Return the same statistics by pandas."""
    return Reference(describe_columns, "X")
