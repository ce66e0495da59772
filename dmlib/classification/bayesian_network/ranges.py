"""The parameters of a network that have an effect on the columns."""

from __future__ import annotations

from typing import Any

from dmlib.classification.columns import Columns
from dmlib.params import Range


def network_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return the numbers of the columns, and why the number of intervals has no effect.

    Examples
    --------
    >>> network_ranges(None, [["sun", "calm"], ["rain", "calm"]])
    {'root': (1, 2), 'n_bins': 'All columns are nominal.'}
    """
    columns = Columns.read(X)[0]
    ranges: dict[str, Range] = {"root": (1, len(columns.names))}
    if len(columns.names) == 1:
        ranges["root"] = "There is only one column."
    if columns.nominal.all():
        ranges["n_bins"] = "All columns are nominal."
    return ranges
