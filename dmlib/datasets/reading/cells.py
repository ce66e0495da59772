"""The cells of a table as they stand in the file, column by column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dmlib.datasets.reading.progress import report
from dmlib.datasets.table import Kind, Role

T = TypeVar("T")
_MANY = 10_000  # texts for which Arrow's regular expressions are worth their start
_AROUND = (
    "".join(filter(str.isspace, map(chr, range(0x3001))))
    + "\u00ad\u180e\u200b\u200c\u200d\u2060\ufeff"
)
"""White space, and letters of no width that copying from web pages leaves behind."""
_CHUNK = 20_000  # rows that are held as Python texts at a time
MAX_LETTERS = 250
"""Letters of the longest text that may be a number, a date or a code; expressions never meet longer
ones."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of texts, each different text kept once.

    Attributes
    ----------
    texts : ndarray of str objects, shape (n_texts,)
        The different texts, without white space and invisible letters around them.
    codes : ndarray of shape (n_rows,)
        Which text each row has.
    """

    texts: NDArray[np.object_]
    codes: NDArray[np.signedinteger[Any]]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many rows have each text, shape (n_texts,)."""
        return np.bincount(self.codes, minlength=len(self.texts))

    def having(self, mask: NDArray[np.bool_]) -> tuple[NDArray[np.object_], NDArray[np.int64]]:
        """Return some of the texts, and how many rows have each."""
        return self.texts[mask], self.counts[mask]

    def spread(self, values: NDArray[Any]) -> pd.Series[Any]:
        """Return one value for each row from one for each text."""
        # The type is found among the few values, not among the many rows.
        return pd.Series(pd.Series(values).array.take(self.codes))

    @classmethod
    def blank(cls, n_rows: int) -> Column:
        """Return a column of empty texts."""
        return cls(np.array([""], object), np.zeros(n_rows, np.int32))

    def rows(self, mask: NDArray[np.bool_]) -> Column:
        """Return the column with some of its rows."""
        return Column(self.texts, self.codes[mask])


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a table.

    Attributes
    ----------
    columns : tuple of Column
        The columns, equally long.
    lines : ndarray of shape (n_rows,)
        Where each row starts in the file: its line, or its row in a sheet, from 1.
    names : tuple of str
        The names of the columns, all different; empty while the first row may still hold them.
    numbers : mapping of int to ndarray
        Columns, by position, that came as numbers and need no reading; their texts are empty.
    has_points : bool
        Whether some of these were written with points that can only mark decimals.
    kinds, roles : mapping of str to str
        The kinds and roles that the file declares for some of the columns.
    row_names : bool
        Whether the first column holds the names of the rows.
    """

    columns: tuple[Column, ...]
    lines: NDArray[np.int64]
    names: tuple[str, ...] = ()
    numbers: Mapping[int, NDArray[Any]] = field(default_factory=dict)
    has_points: bool = False
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    row_names: bool = False

    def rows(self, mask: NDArray[np.bool_]) -> Cells:
        """Return the cells of some of the rows."""
        numbers = {i: values[mask] for i, values in self.numbers.items()}
        columns = tuple(column.rows(mask) for column in self.columns)
        return replace(self, columns=columns, lines=self.lines[mask], numbers=numbers)


def matching(texts: Sequence[str] | NDArray[np.object_], pattern: str) -> NDArray[np.bool_]:
    """Return which texts of at most 250 letters match a regular expression as a whole.

    For the few different texts of most columns Python's own expressions cost less than one call of
    Arrow's.

    Examples
    --------
    >>> matching(["12", "x"], "[0-9]+").tolist()
    [True, False]
    """
    if (
        len(texts) > _MANY and "\\u" not in pattern
    ):  # Arrow's expressions write these letters differently
        values = pa.array(texts, pa.large_string())
        are = pc.match_substring_regex(values, f"^(?:{pattern})$")
        return np.asarray(pc.and_(are, pc.less_equal(pc.utf8_length(values), MAX_LETTERS)))
    fullmatch = re.compile(pattern).fullmatch
    are = (len(text) <= MAX_LETTERS and fullmatch(text) is not None for text in texts)
    return np.fromiter(are, bool, len(texts))


def gather(rows: Iterable[tuple[int, list[str]]], width: int) -> Cells:
    """Return rows of ``width`` texts as cells, with only some thousand rows as Python texts."""
    chunks: list[list[pa.Array]] = [[] for _ in range(width)]
    lines: list[int] = []
    for block in _batched(rows, _CHUNK):
        lines += [line for line, _ in block]
        report(f"{len(lines):,} rows")
        for chunk, texts in zip(chunks, zip(*(row for _, row in block), strict=True), strict=True):
            chunk.append(pa.array(texts, pa.large_string()))
    return Cells(
        tuple(encoded(pa.chunked_array(chunk, pa.large_string())) for chunk in chunks),
        np.array(lines, np.int64),
    )


def encoded(values: pa.ChunkedArray) -> Column:
    """Return a column from an Arrow array of texts, or of a dictionary of texts."""
    if not values.num_chunks:
        return Column(np.empty(0, object), np.empty(0, np.int32))
    # All chunks share the dictionary that the last one ends with.
    unified = (
        values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    ).unify_dictionaries()
    texts = pc.utf8_trim(
        unified.chunk(unified.num_chunks - 1).dictionary, _AROUND
    ).dictionary_encode()
    codes = np.concatenate([np.asarray(chunk.indices) for chunk in unified.chunks])
    if len(texts.dictionary) < len(texts):  # some differed in what was trimmed alone
        codes = np.asarray(texts.indices)[codes]
    return Column(texts.dictionary.to_numpy(zero_copy_only=False), codes)


def _batched(rows: Iterable[T], n: int) -> Iterator[list[T]]:
    """Yield lists of ``n`` items (itertools.batched comes with Python 3.12)."""
    iterator = iter(rows)
    while batch := list(islice(iterator, n)):
        yield batch
