"""Large tables to try things on, written chunk by chunk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FEWEST_COLUMNS = 4
GROUP = 1 << 18  # rows in a row group
REGIONS = np.array(["north", "east", "south", "west"])


def make_table(
    path: str | Path,
    n_rows: int = 50_000_000,
    n_columns: int = 10,
    *,
    n_clusters: int = 5,
    chunk: int = 1_000_000,
    seed: int = 0,
) -> Path:
    """Write a table as a folder of Parquet files, with one chunk of rows in memory.

    The columns are ``x1``, ``x2`` ..., normal around the centres of clusters; ``region``, a name
    that leans to the cluster; ``y``, a weighted sum of the numbers with the weights 1, 2, ..., plus
    10 and standard normal noise; and ``group``, the cluster's name.

    Parameters
    ----------
    path : str or Path
        The folder; it is made. Files of the same names are overwritten.
    n_rows, n_columns : int
        The size of the table; at least one row and four columns.
    n_clusters : int
        How many clusters, with standard deviations of 1 and centres in a cube of side 20.
    chunk : int
        Rows of a file.
    seed : int
        The same seed gives the same table.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ValueError
        If a number is too small.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from dmlib.large import open_table
    >>> with TemporaryDirectory() as folder:
    ...     open_table(make_table(folder, 1000, 5, chunk=300)).columns
    ('x1', 'x2', 'region', 'y', 'group')
    """
    if n_rows < 1 or n_columns < FEWEST_COLUMNS or n_clusters < 1 or chunk < 1:
        raise ValueError(
            f"A table has at least one row, {FEWEST_COLUMNS} columns, one cluster and one row in a"
            " file."
        )
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    centers = np.random.default_rng(seed).uniform(-10, 10, (n_clusters, n_columns - 3))
    for i, start in enumerate(range(0, n_rows, chunk)):
        rows = _rows(np.random.default_rng([seed, i]), min(chunk, n_rows - start), centers)
        pq.write_table(rows, folder / f"part-{i:05d}.parquet", row_group_size=GROUP)
    return folder


def _rows(rng: np.random.Generator, n: int, centers: np.ndarray) -> pa.Table:
    """Return a chunk."""
    k, m = centers.shape
    group = rng.integers(k, size=n)
    X = centers[group] + rng.standard_normal((n, m))
    y = X @ np.arange(1.0, m + 1) + 10 + rng.standard_normal(n)
    region = np.where(rng.random(n) < 0.5, group, rng.integers(len(REGIONS), size=n)) % len(REGIONS)
    columns = {f"x{j + 1}": X[:, j] for j in range(m)}
    groups = np.array([f"group {c + 1}" for c in range(k)])
    return pa.table(columns | {"region": REGIONS[region], "y": y, "group": groups[group]})
