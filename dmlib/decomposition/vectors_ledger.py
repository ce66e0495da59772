"""Tables of matrices and vectors whose entries are columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dmlib.arrays import Floats
from dmlib.pictures.ledger import LedgerTable, short_table


def matrix_table(
    features: Sequence[str], matrix: Floats, title: str, max_columns: int
) -> LedgerTable:
    """Return a square matrix with the names of its columns, of a large one its first entries.

    Examples
    --------
    >>> import numpy as np
    >>> table = matrix_table(("a", "b", "c"), np.eye(3), "S", 2)
    >>> table.title, table.rows
    ('S (the first 2 of 3 columns)', [('a', 1.0, 0.0), ('b', 0.0, 1.0)])
    """
    names = features[:max_columns]
    n = len(names)
    if n < len(matrix):
        title += f" (the first {n} of {len(matrix)} columns)"
    return LedgerTable(("", *names), named_rows(names, matrix[:n, :n]), title)


def vector_table(
    features: Sequence[str], vectors: Mapping[str, Floats], title: str, max_rows: int
) -> LedgerTable:
    """Return vectors side by side, one a column of the table, a row for each entry."""
    rows = named_rows(features, zip(*vectors.values(), strict=True))
    return short_table(("column", *vectors), rows, title, max_rows=max_rows)


def named_rows(names: Sequence[str], numbers: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a table that have a name and numbers."""
    return [(name, *map(float, values)) for name, values in zip(names, numbers, strict=True)]
