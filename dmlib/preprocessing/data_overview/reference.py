"""The same statistics by pandas, and the code that computes them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dmlib.comparison import Answers
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.statistics import PERCENTILES


def overview_reference(run: Run) -> Any:
    """Return what pandas says of the columns, under the names of :class:`dmlib.preprocessing.ColumnSummary`."""
    frame = pd.DataFrame(run.problem.data)
    numbers = pd.DataFrame({name: _numbers(column) for name, column in frame.items()}, dtype=float)
    found = {
        "counts_": frame.count(),
        "mean_": numbers.mean(),
        "median_": numbers.median(),
        "variance_": numbers.var(),
        "range_": numbers.max() - numbers.min(),
        "percentiles_": numbers.quantile([p / 100 for p in PERCENTILES]),
        "covariance_": numbers.cov(),
    }
    values = {name: value.to_numpy() for name, value in found.items()}
    return Answers("pandas.DataFrame: count, mean, median, var, max, min, quantile, cov", values)


def _numbers(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column of numbers; of names, a column without values."""
    return (
        column if pd.api.types.is_numeric_dtype(column) else pd.Series(float("nan"), column.index)
    )


def overview_code(run: Run) -> str:
    """Return code that computes the statistics with pandas as ``reference``, after ``X``."""
    return """
# The same statistics with pandas; names have none of them
import types

import pandas as pd

frame = pd.DataFrame(X)
numbers = frame.select_dtypes("number").reindex(columns=frame.columns)
print(frame.describe(include="all"))
reference = types.SimpleNamespace(
    median_=numbers.median().to_numpy(),
    variance_=numbers.var().to_numpy(),
    range_=(numbers.max() - numbers.min()).to_numpy(),
)
"""
