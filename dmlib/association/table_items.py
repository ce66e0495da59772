"""A table as market baskets: each row holds an item for each of its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.preprocessing import bin_edges
from dmlib.trees.threshold_text import threshold_texts

EXCLUDED = ("date", "text", "id")


@dataclass(frozen=True)
class TableItems:
    """The rows of a table as baskets.

    Attributes
    ----------
    transactions : tuple of frozenset of str
        The items of each row; a missing value has none.
    notes : tuple of str
        How each numeric column was cut, and which columns were left out.
    """

    transactions: tuple[frozenset[str], ...]
    notes: tuple[str, ...]


def table_items(
    frame: pd.DataFrame,
    kinds: Mapping[str, str] | None = None,
    *,
    bins: int = 3,
    rule: str = "equal_frequency",
) -> TableItems:
    """Return the rows of a table as baskets.

    A nominal value becomes the item ``column=value``, a number the item of its interval,
    ``column≤cut`` for the first.

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        The table.
    kinds : mapping of str to str, optional
        Which columns are ``numeric``; those of kind ``date``, ``text`` and ``id`` are left out. By
        default the columns of numbers are numeric, and all others nominal.
    bins : int
        The number of intervals of a numeric column.
    rule : {"equal_frequency", "natural", "sturges"}
        Intervals with equally many values; of equal width; of equal width and as many as Sturges'
        rule says.

    Returns
    -------
    TableItems
        Baskets, and how they were made.

    Notes
    -----
    An interval holds its upper end. Equal values are never cut apart, so there may be fewer
    intervals.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": [1, 2, 9], "colour": ["red", "red", None]})
    >>> baskets = table_items(frame, bins=2)
    >>> [sorted(basket) for basket in baskets.transactions]
    [['colour=red', 'size≤1.5'], ['colour=red', 'size>1.5'], ['size>1.5']]
    >>> baskets.notes
    ('size is cut at 1.5, by equal frequency.',)
    """
    numeric = dict.fromkeys(frame.select_dtypes("number"), "numeric")
    kinds = kinds or {name: numeric.get(name, "nominal") for name in frame}
    rows: list[set[str]] = [set() for _ in range(len(frame))]
    notes = []
    for name, column in frame.items():
        kind = kinds.get(str(name), "nominal")
        if kind in EXCLUDED or not column.notna().any():
            notes.append(f"{name} is left out.")
            continue
        if kind == "numeric":
            values = column.to_numpy(float)
            items, note = _intervals(str(name), values, bins, rule)
            is_present = np.isfinite(values)
            notes.append(note)
        else:
            items = [f"{name}={value}" for value in column]
            is_present = column.notna().to_numpy()
        for i in np.flatnonzero(is_present):
            rows[i].add(items[i])
    return TableItems(tuple(map(frozenset, rows)), tuple(notes))


def _intervals(
    name: str, values: NDArray[np.float64], bins: int, rule: str
) -> tuple[list[str], str]:
    """Return the interval of each number as an item, and where they were cut."""
    cuts = bin_edges(values, rule, bins)[1:-1]
    texts = threshold_texts(cuts, values, 4)
    names = [f"{low}<{name}≤{high}" for low, high in pairwise(texts)]
    names = [f"{name}≤{texts[0]}", *names, f"{name}>{texts[-1]}"] if texts else [f"{name}=any"]
    place = np.searchsorted(cuts, values, side="left")
    items = [names[at] for at in place.tolist()]
    method = {
        "equal_frequency": "equal frequency",
        "natural": "equal width",
        "sturges": "Sturges' rule",
    }[rule]
    if not texts:
        return items, f"{name} has one value."
    return items, f"{name} is cut at {', '.join(texts)}, by {method}."
