"""The names of statistics of a column, and which of them each measurement scale allows."""

from __future__ import annotations

from dmlib.preprocessing.data_overview.column_summary import ColumnSummaryStep

QUANTILES = {"median": "Median", "low": "25 %", "high": "75 %", "tenth": "10 %", "ninth": "90 %"}
STATISTICS = QUANTILES | {
    "range": "Range",
    "mean": "Mean",
    "variance": "Variance",
    "deviation": "Standard deviation",
    "coefficient": "s / x̄",
    "n_outliers": "Outliers",
}
"""Statistics by name, with their titles; their marks and rows have these places as numbers."""
WITH_MARKS = {*QUANTILES, "mean", "deviation", "n_outliers"}

ALLOWED = {
    "nominal": "Nominal values can only be counted: there is a mode, and no median or mean.",
    "ordinal": "An order allows a median and other quantiles, but no differences, so no mean.",
    "interval": (
        "Differences mean something, so there are mean and variance;"
        " without a natural zero, no ratios."
    ),
    "ratio": "There is a natural zero, so ratios mean something too.",
}
"""The statistics that each scale allows."""
SCALE_STATISTICS = {
    "nominal": "its mode",
    "ordinal": "mode and median",
    "interval": "median, mean and spread",
    "ratio": "mean, spread and ratios",
}


def scale_note(step: ColumnSummaryStep) -> str:
    """Return the sentence on the scale that the column was taken for."""
    return f"Measurement scale: {step.scale}. {ALLOWED[step.scale]}"


def number_of(statistic: str) -> int:
    """Return the number of a statistic's marks and of its row."""
    return list(STATISTICS).index(statistic) + 1
