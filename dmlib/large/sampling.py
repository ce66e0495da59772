"""Rows of a large table drawn at random, in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dmlib.arrays import Floats
from dmlib.large.blocks import comparable, summarised
from dmlib.large.source import open_table

MAX_STRATA = 1000
DRAWS = 4  # numbers that one step of the random generator's counter gives


@dataclass(frozen=True, eq=False)
class Reservoir:
    """The rows with the smallest keys, at most ``size`` of them.

    References
    ----------
    P. S. Efraimidis and P. G. Spirakis (2006), Weighted random sampling with a reservoir.

    Examples
    --------
    >>> one = Reservoir.of(pd.DataFrame({"a": [10, 20]}), np.array([0.5, 0.1]), 2)
    >>> one.merge(Reservoir.of(pd.DataFrame({"a": [30]}), np.array([0.3]), 2)).rows["a"].tolist()
    [20, 30]
    """

    rows: pd.DataFrame
    keys: Floats
    size: int
    n: int  # of how many rows they are

    @classmethod
    def of(cls, rows: pd.DataFrame, keys: Floats, size: int) -> Reservoir:
        """Return the best of some rows, the smallest key first."""
        return cls(rows, keys, size, len(keys))._cut()

    def merge(self, following: Reservoir) -> Reservoir:
        """Return the best of both."""
        if not len(self.keys) or not len(following.keys):
            best = self if len(self.keys) else following
            return Reservoir(best.rows, best.keys, self.size, self.n + following.n)
        joined = pd.concat([self.rows, following.rows])
        return Reservoir(
            joined, np.concatenate([self.keys, following.keys]), self.size, self.n + following.n
        )._cut()

    def _cut(self) -> Reservoir:
        places = np.arange(len(self.keys))
        if self.size < len(places):
            places = np.sort(np.argpartition(self.keys, self.size - 1)[: self.size])
        best = places[np.argsort(self.keys[places], kind="stable")]
        return Reservoir(self.rows.iloc[best], self.keys[best], self.size, self.n)


@dataclass(frozen=True, eq=False)
class Strata:
    """A reservoir for each stratum."""

    reservoirs: dict[Any, Reservoir]

    def merge(self, following: Strata) -> Strata:
        """Return those of both."""
        merged = dict(self.reservoirs)
        for name, reservoir in following.reservoirs.items():
            merged[name] = merged[name].merge(reservoir) if name in merged else reservoir
        if len(merged) > MAX_STRATA:
            raise ValueError(
                f"There are more than {MAX_STRATA} strata. Choose a column with fewer values."
            )
        return Strata(merged)


def uniforms(seed: int, first: int, n: int) -> Floats:
    """Return the random numbers in [0, 1) that belong to the rows ``first`` to ``first + n - 1``.

    A row's number depends on the seed and its place in the table alone, not on where files or
    blocks are cut.

    References
    ----------
    J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw (2011), Parallel random numbers: as easy
    as 1, 2, 3.

    Examples
    --------
    >>> bool((uniforms(7, 0, 10)[6:] == uniforms(7, 6, 4)).all())
    True
    """
    bits = np.random.Philox(seed).advance(first // DRAWS)
    skipped = first % DRAWS
    return np.random.Generator(bits).random(n + skipped)[skipped:]


def sample(
    table: Any,
    n: int,
    *,
    stratify: str | None = None,
    columns: Any = None,
    random_state: int = 0,
    shuffled: bool = False,
) -> pd.DataFrame:
    """Draw rows at random without replacement: exactly ``n``, or all if there are fewer.

    Each row has a random number of its own, and those with the smallest are kept (a reservoir).

    Parameters
    ----------
    table : str, Path, Dask data frame, DataFrame or Source
        What :func:`open_table` takes.
    n : int
        How many rows.
    stratify : str, optional
        A column of whose values the sample has the shares of the table, rounded to whole rows
        (largest remainders).
    columns : sequence of str, optional
        The columns that are wanted; by default all.
    random_state : int
        The seed. The same seed gives the same rows, however the table is divided into files.
    shuffled : bool
        Whether the rows come in random order, not in that of the table.

    Returns
    -------
    DataFrame of shape (n, n_columns)
        The rows, indexed by their numbers in the table, from 0.

    Raises
    ------
    ValueError
        If there is no row or no such column, or ``n`` is no positive number.

    Notes
    -----
    One pass over Parquet; CSV files and Dask data frames are counted in a pass before. In memory
    are ``n`` rows for each worker, with strata ``n`` for each stratum. A missing stratum is one of
    its own.

    References
    ----------
    P. S. Efraimidis and P. G. Spirakis (2006), Weighted random sampling with a reservoir.
    W. G. Cochran (1977), Sampling Techniques, chapter 5.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": range(100), "b": ["x"] * 80 + ["y"] * 20})
    >>> sample(frame, 10, stratify="b")["b"].value_counts().to_dict()
    {'x': 8, 'y': 2}
    """
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n must be a whole number of rows, at least 1; it was {n!r}.")
    source = open_table(table)
    chosen = source.select(columns)
    read = tuple(dict.fromkeys((*chosen, *source.select([stratify])))) if stratify else chosen
    make = partial(_reservoirs, n=n, stratify=stratify, seed=random_state)
    strata = summarised(source, read, make, numbered=True).reservoirs
    shares = _shares({name: reservoir.n for name, reservoir in strata.items()}, n)
    drawn_rows = [
        _first(reservoir, shares[name]) for name, reservoir in strata.items() if shares[name]
    ]
    rows, keys = (
        pd.concat([rows for rows, _ in drawn_rows]),
        np.concatenate([keys for _, keys in drawn_rows]),
    )
    rows = rows[list(chosen)]
    return rows.iloc[np.argsort(keys, kind="stable")] if shuffled else rows.sort_index()


def _reservoirs(
    block: pd.DataFrame, start: int, *, n: int, stratify: str | None, seed: int
) -> Strata:
    """Return the reservoirs of a block."""
    block = block.set_axis(pd.RangeIndex(start, start + len(block)))
    keys = uniforms(seed, start, len(block))
    if stratify is None:
        return Strata({"": Reservoir.of(block, keys, n)})
    codes, names = pd.factorize(comparable(block[stratify]))
    if len(names) > MAX_STRATA:
        raise ValueError(
            f"There are more than {MAX_STRATA} strata. Choose a column with fewer values."
        )
    named = {code: names[code] if code >= 0 else None for code in np.unique(codes)}
    return Strata(
        {
            name: Reservoir.of(block[codes == code], keys[codes == code], n)
            for code, name in named.items()
        }
    )


def _first(reservoir: Reservoir, n: int) -> tuple[pd.DataFrame, Floats]:
    return reservoir.rows.iloc[:n], reservoir.keys[:n]


def _shares(sizes: dict[Any, int], n: int) -> dict[Any, int]:
    """Return the number of rows of each stratum: integers with sum n, or all rows if fewer."""
    total = sum(sizes.values())
    n_drawn = min(n, total)
    n_rows = {name: size * n_drawn // total for name, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda name: (-(sizes[name] * n_drawn % total), str(name)))
    for name in by_remainder[: n_drawn - sum(n_rows.values())]:
        n_rows[name] += 1
    return n_rows
