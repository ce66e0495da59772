"""Frequent item sets of more baskets than fit into memory, in two passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.association import Apriori
from dmlib.association.bitsets import packed, support_counts
from dmlib.large.blocks import summarised
from dmlib.large.source import open_table
from dmlib.params import Integer, Number, Param, check_params

MIN_BASKETS = 2000  # baskets that are mined by themselves
SLACK = 0.9  # of the support, at which they are mined, so that a few baskets may be left over
Itemset = tuple[str, ...]
PARAMS: dict[str, Param] = {
    "min_support": Number(1e-6, 1.0),
    "max_length": Integer(1, 1000, none="no limit"),
}


def frequent_itemsets(
    table: Any,
    min_support: float = 0.1,
    *,
    items: str | None = None,
    separator: str = " ",
    columns: Any = None,
    max_length: int | None = None,
) -> dict[Itemset, float]:
    """Return the item sets that many of the baskets contain, one basket in each row.

    An item set that is frequent in the whole table is frequent in a part of it. So the first pass
    finds the frequent item sets of each part that fits into memory; the second counts their union
    in all rows, exactly.

    Parameters
    ----------
    table : str, Path, Dask data frame, DataFrame or Source
        What :func:`open_table` takes.
    min_support : float
        The share of baskets that must contain a frequent item set.
    items : str, optional
        A column that holds the items of each basket: a list, or a text of names between separators.
        Without it each column is an item, which lies in the baskets where its value is neither 0,
        false nor missing.
    separator : str
        What stands between the names in a text.
    columns : sequence of str, optional
        The columns that are items; by default all.
    max_length : int or None
        The largest number of items in an item set; None means no limit.

    Returns
    -------
    dict of tuple to float
        The support of each frequent item set; items in ascending order, smaller sets first.

    Raises
    ------
    ValueError
        If there is no item, a parameter is out of bounds, or a part has too many candidates.

    Notes
    -----
    A part is a block of rows, mined by :class:`dmlib.association.Apriori` at 0.9 of the support.
    The small rests of files are gathered to parts of 2,000 baskets; what is left over of N baskets
    in the end, r of them, is mined only if an item set could be frequent by them: if r > 0.1 s N /
    (1 - 0.9 s).

    References
    ----------
    A. Savasere, E. Omiecinski and S. Navathe (1995), An efficient algorithm for mining association
    rules in large databases.

    Examples
    --------
    >>> frame = pd.DataFrame({"basket": ["tea milk", "tea", "tea milk", "milk"]})
    >>> frequent_itemsets(frame, 0.5, items="basket")
    {('milk',): 0.75, ('tea',): 0.75, ('milk', 'tea'): 0.5}
    """
    check_params(PARAMS, {"min_support": min_support, "max_length": max_length})
    source = open_table(table)
    read = source.select([items] if items is not None else columns)
    baskets = _Baskets(items, separator)
    first = partial(_mined, baskets=baskets, min_support=min_support, max_length=max_length)
    candidates = _candidates(summarised(source, read, first), min_support)
    if not candidates:
        return {}
    second = partial(_counted, baskets=baskets, candidates=candidates)
    counted = summarised(source, read, second)
    supports = counted.counts / counted.n
    return {
        names: float(s) for names, s in zip(candidates, supports, strict=True) if s >= min_support
    }


@dataclass(frozen=True)
class _Baskets:
    """How baskets are read from rows."""

    items: str | None
    separator: str

    def matrix(
        self, block: pd.DataFrame, min_count: float, chosen_items: Sequence[str] | None = None
    ) -> pd.DataFrame:
        """Return which item is in which basket, for frequent items or those that are chosen."""
        if self.items is None:
            frame = pd.DataFrame({str(name): _holds(column) for name, column in block.items()})
            return (
                frame.loc[:, frame.sum() >= min_count]
                if chosen_items is None
                else frame[list(chosen_items)]
            )
        rows, codes, names = self._listed(block[self.items])
        matrix_codes = np.unique(
            rows * max(1, len(names)) + codes
        )  # an item counts once in a basket
        rows, codes = np.divmod(matrix_codes, max(1, len(names)))
        frequent = np.bincount(codes, minlength=len(names)) >= min_count
        chosen = names[frequent].tolist() if chosen_items is None else list(chosen_items)
        place = pd.Index(chosen).get_indexer(pd.Index(names))[codes]
        matrix = np.zeros((len(block), len(chosen)), bool)
        matrix[rows[place >= 0], place[place >= 0]] = True
        return pd.DataFrame(matrix, columns=chosen)

    def _listed(
        self, column: pd.Series[Any]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[Any]]:
        """Return the basket and the item of each entry, and the names of the items."""
        column = column.reset_index(drop=True)
        entries = column.dropna()
        if len(entries) and isinstance(entries.iloc[0], str):
            column = column.str.split(self.separator)
        flat = column.explode().dropna()
        flat = flat[flat.astype(str).str.strip() != ""]
        codes, names = pd.factorize(flat.astype(str).str.strip())
        return flat.index.to_numpy(np.intp), codes, np.asarray(names, dtype=object)


def _holds(column: pd.Series[Any]) -> NDArray[np.bool_]:
    """Return which baskets hold the item of a column."""
    if pd.api.types.infer_dtype(column, skipna=True) not in (
        "boolean",
        "integer",
        "floating",
        "empty",
    ):
        raise ValueError(
            f"The column {column.name!r} holds neither numbers nor truth values. Leave it out, or,"
            " if it lists the items of each basket, say items."
        )
    return np.asarray(column.fillna(0).astype(bool))


@dataclass(frozen=True, eq=False)
class _Mined:
    """The frequent item sets of the parts, and the rows that have not been mined."""

    baskets: _Baskets
    min_support: float
    max_length: int | None
    itemsets: frozenset[Itemset]
    unmined: pd.DataFrame
    n: int

    def merge(self, following: _Mined) -> _Mined:
        unmined = (
            pd.concat([self.unmined, following.unmined])
            if len(self.unmined) and len(following.unmined)
            else self.unmined
        )
        unmined = unmined if len(unmined) else following.unmined
        merged = _Mined(
            self.baskets,
            self.min_support,
            self.max_length,
            self.itemsets | following.itemsets,
            unmined,
            self.n + following.n,
        )
        return merged.mined(SLACK * self.min_support) if len(unmined) >= MIN_BASKETS else merged

    def mined(self, min_support: float) -> _Mined:
        """Return the same with the rest mined."""
        matrix = self.baskets.matrix(self.unmined, min_support * len(self.unmined) * (1 - 1e-9))
        itemsets = self.itemsets
        if matrix.shape[1]:
            model = Apriori(max(min_support, 1e-6), max_length=self.max_length).fit(matrix)
            itemsets |= {tuple(sorted(names)) for names in model.itemsets_}
        return _Mined(
            self.baskets, self.min_support, self.max_length, itemsets, self.unmined.iloc[:0], self.n
        )


def _mined(
    block: pd.DataFrame,
    _start: int,
    *,
    baskets: _Baskets,
    min_support: float,
    max_length: int | None,
) -> _Mined:
    """Return the frequent item sets of a block, or the block if it is small."""
    unmined = _Mined(baskets, min_support, max_length, frozenset(), block, len(block))
    return unmined.mined(SLACK * min_support) if len(block) >= MIN_BASKETS else unmined


def _candidates(mined: _Mined, min_support: float) -> list[Itemset]:
    """Return the item sets that may be frequent, smaller ones first."""
    if len(mined.unmined) > (1 - SLACK) * min_support * mined.n / (1 - SLACK * min_support) * (
        1 - 1e-9
    ):
        mined = mined.mined(min_support)
    return sorted(mined.itemsets, key=lambda names: (len(names), names))


@dataclass(frozen=True)
class _Counts:
    counts: NDArray[np.intp]
    n: int

    def merge(self, following: _Counts) -> _Counts:
        return _Counts(self.counts + following.counts, self.n + following.n)


def _counted(
    block: pd.DataFrame, _start: int, *, baskets: _Baskets, candidates: list[Itemset]
) -> _Counts:
    """Return how many baskets of a block contain each candidate."""
    names = sorted({name for itemset in candidates for name in itemset})
    bits = packed(baskets.matrix(block, 0, names).to_numpy())
    column = {name: j for j, name in enumerate(names)}
    counts = []
    for length in sorted({len(itemset) for itemset in candidates}):
        sets = [
            [column[name] for name in itemset] for itemset in candidates if len(itemset) == length
        ]
        counts.append(support_counts(bits, np.array(sets, np.intp)))
    return _Counts(np.concatenate(counts), len(block))
