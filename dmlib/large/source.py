"""A table on disk or in Dask, as pieces that are read one block of rows after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

CELLS = 1 << 20  # of a block: 8 MB of numbers
FEWEST_ROWS = 1 << 10  # of a block, however wide the table is
PIECE = 1 << 20  # rows up to which small row groups make one piece
CSV_BLOCK = 1 << 24  # bytes


@dataclass(frozen=True)
class ParquetPiece:
    """Some row groups of a Parquet file."""

    path: str
    groups: tuple[int, ...]
    n_rows: int | None  # None, here and below: only reading tells

    def blocks(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        """Read them; of a row group larger than a block, only a part is in memory."""
        try:
            with _open_parquet(self.path) as file:
                for batch in file.iter_batches(
                    _rows(columns), list(self.groups), list(columns), use_threads=False
                ):
                    yield batch.to_pandas(use_threads=False, date_as_object=False)[list(columns)]
        except (pa.ArrowInvalid, OSError) as error:
            raise _unreadable(self.path, error) from None


@dataclass(frozen=True)
class CsvPiece:
    """A CSV file."""

    path: str
    types: tuple[tuple[str, pa.DataType], ...]
    n_rows: int | None = None

    def blocks(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        """Read it in blocks of bytes."""
        convert = pc.ConvertOptions(
            column_types=dict(self.types), include_columns=list(columns), strings_can_be_null=True
        )
        try:
            with _reader(self.path, convert) as reader:
                for batch in reader:
                    yield batch.to_pandas(use_threads=False, date_as_object=False)
        except (pa.ArrowInvalid, OSError) as error:
            raise _unreadable(self.path, error) from None


@dataclass(frozen=True, eq=False)
class FramePiece:
    """Rows of a data frame in memory."""

    frame: pd.DataFrame
    n_rows: int | None

    def blocks(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        """Cut them into blocks."""
        size = _rows(columns)
        for start in range(0, len(self.frame), size):
            yield self.frame[list(columns)].iloc[start : start + size]


@dataclass(frozen=True, eq=False)
class DaskPiece:
    """A partition of a Dask data frame, which Dask hands over as a data frame."""

    partition: Any
    n_rows: int | None = None

    def blocks(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        """Have it computed, where this is asked."""
        frame = self.partition.compute(scheduler="synchronous")
        yield from FramePiece(frame, len(frame)).blocks(columns)


@dataclass(frozen=True, eq=False)
class Source:
    """A table that is read piece by piece.

    Attributes
    ----------
    types : mapping of str to object
        The Arrow type of each column, or its NumPy or pandas type in a data frame.
    pieces : tuple
        Its pieces, in the order of the rows: row groups of Parquet files, CSV files, or partitions
        of a Dask frame.

    Examples
    --------
    >>> source = Source.of(pd.DataFrame({"size": [1.5, 2.0], "colour": ["red", "blue"]}))
    >>> source.columns, source.numeric, source.n_rows
    (('size', 'colour'), ('size',), 2)
    """

    types: dict[str, Any]
    pieces: tuple[Any, ...] = field(repr=False)

    @classmethod
    def of(cls, table: Any) -> Source:
        """Return what :func:`open_table` returns."""
        return open_table(table)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.types)

    @property
    def numeric(self) -> tuple[str, ...]:
        """The names of the columns of numbers; truth values are none."""
        return tuple(name for name, kind in self.types.items() if _is_number(kind))

    @property
    def n_rows(self) -> int | None:
        """The number of rows; None if only reading tells."""
        counts = self.piece_rows
        return None if counts is None else sum(counts)

    @property
    def piece_rows(self) -> list[int] | None:
        """The number of rows of each piece; None if only reading tells."""
        counts = [piece.n_rows for piece in self.pieces if piece.n_rows is not None]
        return counts if len(counts) == len(self.pieces) else None

    def select(self, columns: Sequence[str] | None, *, numeric: bool = False) -> tuple[str, ...]:
        """Return these columns, by default all.

        Raises
        ------
        ValueError
            If one does not exist, or is not of numbers though it has to be; if there is none.
        """
        chosen = (
            tuple(columns) if columns is not None else self.numeric if numeric else self.columns
        )
        for name in chosen:
            if name not in self.types:
                raise ValueError(
                    f"The table has no column {name!r}; it has {_listed(self.columns)}."
                )
            if numeric and not _is_number(self.types[name]):
                raise ValueError(
                    f"The column {name!r} holds no numbers, and this needs numbers. Leave it out."
                )
        if not chosen:
            raise ValueError("The table has no column of numbers, and this needs one.")
        return chosen


def open_table(table: Any) -> Source:
    """Open a large table; only its names and types are read.

    Parameters
    ----------
    table : str, Path, Dask data frame, DataFrame or Source
        A Parquet or CSV file, a folder of them, or a pattern such as ``data/*.csv``; or a data
        frame. All files have the same columns.

    Returns
    -------
    Source
        The table, in the alphabetical order of its files.

    Raises
    ------
    ValueError
        If there is no such file, a file cannot be read, or a column is missing in one of them.

    Notes
    -----
    What a CSV column holds is told by the first block of the first file that has rows; whole
    numbers are read as floating-point ones, since a missing value may follow. A CSV file is one
    piece: many files are read side by side.

    Examples
    --------
    >>> open_table(pd.DataFrame({"a": [1, 2]})).columns
    ('a',)
    """
    if isinstance(table, Source):
        return table
    if isinstance(table, pd.DataFrame):
        return Source(dict(table.dtypes), (FramePiece(table, len(table)),))
    if hasattr(table, "to_delayed"):
        return Source(dict(table.dtypes), tuple(map(DaskPiece, table.to_delayed())))
    if not isinstance(table, str | Path):
        raise ValueError(
            "A large table is a path, a Dask data frame or a data frame, not a"
            f" {type(table).__name__}."
        )
    files = _files(str(table))
    return _of_parquet(files) if _ending(files[0]) == "parquet" else _of_csv(files)


def _files(path: str) -> list[str]:
    """Return the files of one format that a path means."""
    place = Path(path)
    paths = sorted(map(str, place.rglob("*"))) if place.is_dir() else sorted(glob(path)) or [path]
    files = [file for file in paths if _ending(file) and not Path(file).name.startswith((".", "_"))]
    if not Path(paths[0] if paths else path).exists() and not place.exists():
        raise ValueError(f"There is no file {path!r}.")
    if not files:
        raise ValueError(f"{path!r} is no Parquet or CSV file, and holds none.")
    if len({_ending(file) for file in files}) > 1:
        raise ValueError(
            f"{path!r} holds Parquet files and CSV files. Name one kind, as in 'folder/*.parquet'."
        )
    return files


def _ending(path: str) -> str:
    """Return the format that a file's name tells."""
    ending = Path(path).suffix.lower()
    return {".parquet": "parquet", ".pq": "parquet", ".csv": "csv"}.get(ending, "")


def _of_parquet(files: Sequence[str]) -> Source:
    pieces: list[ParquetPiece] = []
    types: dict[str, Any] = {}
    for path in files:
        with _open_parquet(path) as file:
            schema, sizes = (
                file.schema_arrow,
                [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)],
            )
        _check_names(schema.names)
        types_of_file = {name: schema.field(name).type for name in schema.names}
        types = types or types_of_file
        _check_columns(types, types_of_file, files[0], path)
        pieces += [
            ParquetPiece(path, groups, sum(sizes[i] for i in groups))
            for groups in _bundles(sizes)
            if groups
        ]
    return Source(types, tuple(pieces))


def _bundles(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield row groups that make a piece."""
    bundle: list[int] = []
    n_rows = 0
    for i, size in enumerate(sizes):
        if bundle and n_rows + size > PIECE:
            yield tuple(bundle)
            bundle, n_rows = [], 0
        bundle, n_rows = [*bundle, i], n_rows + size
    yield tuple(bundle)


def _of_csv(files: Sequence[str]) -> Source:
    heads = [_head(path) for path in files]
    _check_names(heads[0].names)
    for path, head in zip(files, heads, strict=True):
        _check_columns(dict.fromkeys(heads[0].names), dict.fromkeys(head.names), files[0], path)
    first = next(
        (head for head in heads if any(not pa.types.is_null(kind) for kind in head.types)), heads[0]
    )
    types = {name: _general(first.field(name).type) for name in heads[0].names}
    return Source(types, tuple(CsvPiece(path, tuple(types.items())) for path in files))


def _head(path: str) -> pa.Schema:
    """Return names and types of the first block."""
    try:
        with _reader(path, None) as reader:
            return reader.schema
    except (pa.ArrowInvalid, OSError) as error:
        raise _unreadable(path, error) from None


def _general(kind: pa.DataType) -> pa.DataType:
    """Return the type that may hold what comes later, too."""
    if pa.types.is_integer(kind):
        return pa.float64()
    return pa.string() if pa.types.is_null(kind) else kind


def _check_names(names: Sequence[str]) -> None:
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(
            f"The table has two columns {twice!r}. Give each column a name of its own."
        )


def _check_columns(
    first: dict[str, Any], columns: dict[str, Any], first_path: str, path: str
) -> None:
    first_file, file = Path(first_path).name, Path(path).name
    for name, kind in first.items():
        if name not in columns:
            raise ValueError(
                f"The file {file!r} has no column {name!r}, which {first_file!r} has. Write all"
                " files with the same columns."
            )
        if _is_number(kind) != _is_number(columns[name]):
            raise ValueError(
                f"The column {name!r} holds {kind} in {first_file!r} and {columns[name]} in"
                f" {file!r}. Write all files with the same types."
            )


def _is_number(kind: Any) -> bool:
    if isinstance(kind, pa.DataType):
        return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))
    return (
        kind is not None
        and pd.api.types.is_numeric_dtype(kind)
        and not pd.api.types.is_bool_dtype(kind)
    )


def _open_parquet(path: str) -> pq.ParquetFile:
    """Open a Parquet file so that a row group is read as it is needed, not whole."""
    try:
        return pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
    except (pa.ArrowInvalid, OSError) as error:
        raise _unreadable(path, error) from None


def _reader(path: str, convert: pc.ConvertOptions | None) -> Any:
    return pc.open_csv(
        path, pc.ReadOptions(block_size=CSV_BLOCK, use_threads=False), convert_options=convert
    )


def _unreadable(path: str, error: Exception) -> ValueError:
    reason = str(error).splitlines()[0].replace(path, Path(path).name)[:160].rstrip(".")
    return ValueError(f"The file {Path(path).name!r} cannot be read: {reason}. Write it again.")


def _rows(columns: Sequence[str]) -> int:
    return max(FEWEST_ROWS, CELLS // max(1, len(columns)))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:8])) + (" ..." if len(names) > 8 else "")
