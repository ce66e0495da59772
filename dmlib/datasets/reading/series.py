"""Series in files: the first numeric columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dmlib.datasets.containers import SeriesData
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.tables import read_table
from dmlib.datasets.table import TableError

MAX_SERIES = 2


def read_series(
    data: bytes, name: str, *, options: ReadOptions | Mapping[str, Any] | None = None
) -> SeriesData:
    r"""Read one or two series: the first numeric columns of a table, in the order of its rows.

    Parameters
    ----------
    data : bytes
        The content of a file that :func:`read_table` reads.
    name : str
        The name under which it was sent; only shown.
    options : ReadOptions or mapping, optional
        What is decided and not found out.

    Returns
    -------
    SeriesData
        The values of each column without those that are missing; times are numbers of rows.

    Raises
    ------
    TableError
        If the file is no table, or has no numeric column.

    Examples
    --------
    >>> read_series(b"day,sales,costs\nmo,3,1\ntu,5,2\nwe,4,2\n", "week.csv").names
    ('sales', 'costs')
    """
    table = read_table(data, name, options=options)
    names = table.numeric[:MAX_SERIES]
    if not names:
        raise TableError(
            "no_numeric",
            "The file has no column of numbers. Choose a file whose columns are the series.",
        )
    columns = [table.frame[column].dropna() for column in names]
    values = tuple(column.to_numpy(float) for column in columns)
    times = tuple(column.index.to_numpy(float) for column in columns)
    return SeriesData(
        values, names, times, "row", name=table.name, title=table.title, notes=table.notes
    )
