"""Tables as Excel and Parquet files, with the settings that they were made with."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

MAX_ROWS = 2**20 - 1  # of a sheet, below its header
MAX_COLUMNS = 2**14
MAX_LETTERS = 32_767  # of a cell
SHEETS = ("Data", "Settings")
OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
"""A text stays a text, whatever it begins with."""
METADATA = b"dmlib.settings"
"""The key of the settings in a Parquet file: JSON, a text for each name."""


def settings_table(settings: Mapping[str, str]) -> pd.DataFrame:
    """Return settings as a table of two columns.

    Examples
    --------
    >>> settings_table({"n_clusters": "3"}).values.tolist()
    [['n_clusters', '3']]
    """
    return pd.DataFrame(list(settings.items()), columns=["setting", "value"], dtype=object)


def sheet_refusal(frame: pd.DataFrame) -> str:
    """Return a sentence on why a sheet cannot hold a table; empty if it can.

    Examples
    --------
    >>> sheet_refusal(pd.DataFrame({"a": [1]})), sheet_refusal(pd.DataFrame({"a": ["x" * 40_000]}))
    ('', "A cell of a sheet has at most 32,767 letters, and 'a' has more: save it as CSV.")
    """
    if len(frame) > MAX_ROWS or frame.shape[1] > MAX_COLUMNS:
        return f"A sheet has at most {MAX_ROWS:,} rows and {MAX_COLUMNS:,} columns: save it as CSV."
    for name, column in frame.items():
        has_texts = not pd.api.types.is_numeric_dtype(column)
        if has_texts and column.astype(object).map(_n_letters).max() > MAX_LETTERS:
            return (
                f"A cell of a sheet has at most {MAX_LETTERS:,} letters, and {name!r} has more:"
                " save it as CSV."
            )
    return ""


def to_excel(frame: pd.DataFrame, settings: Mapping[str, str]) -> bytes:
    """Return a table as an Excel file, with the settings on a second sheet.

    Parameters
    ----------
    frame : DataFrame
        The table.
    settings : mapping of str to str
        What it was made with.

    Raises
    ------
    ValueError
        If a sheet cannot hold the table.

    Examples
    --------
    >>> content = to_excel(pd.DataFrame({"=a": ["@b"]}), {"eps": "0.5"})
    >>> pd.read_excel(io.BytesIO(content), engine="calamine").to_dict("list")
    {'=a': ['@b']}
    """
    if refusal := sheet_refusal(frame):
        raise ValueError(refusal)
    sheets = zip(SHEETS, (_without_zones(frame), settings_table(settings)), strict=True)
    out = io.BytesIO()
    with pd.ExcelWriter(out, engine="xlsxwriter", engine_kwargs={"options": OPTIONS}) as writer:
        for name, sheet in sheets:
            sheet.to_excel(writer, sheet_name=name, index=False, freeze_panes=(1, 0))
    return out.getvalue()


def to_parquet(frame: pd.DataFrame, settings: Mapping[str, str]) -> bytes:
    """Return a table as a Parquet file, with the settings as JSON in its metadata.

    Parameters
    ----------
    frame : DataFrame
        The table.
    settings : mapping of str to str
        What it was made with.

    Examples
    --------
    >>> content = to_parquet(pd.DataFrame({"a": [1, 2]}), {"eps": "0.5"})
    >>> pq.read_schema(io.BytesIO(content)).metadata[METADATA]
    b'{"eps": "0.5"}'
    """
    table = pa.Table.from_pandas(_of_one_type(frame), preserve_index=False)
    note = json.dumps(dict(settings), ensure_ascii=False).encode()
    metadata = {**(table.schema.metadata or {}), METADATA: note}
    out = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), out)
    return out.getvalue()


def _without_zones(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose moments in a time zone are texts: a sheet knows no zones."""
    zoned = frame.select_dtypes("datetimetz")
    return frame.assign(
        **{
            name: column.map(pd.Timestamp.isoformat, na_action="ignore")
            for name, column in zoned.items()
        }
    )


def _n_letters(value: Any) -> int:
    return len(value) if isinstance(value, str) else 0


def _of_one_type(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose columns of mixed types hold texts, as a Parquet column has one type."""
    mixed = [
        name
        for name, column in frame.items()
        if column.dtype == object and len(set(column.dropna().map(type))) > 1
    ]
    return frame.assign(**{name: frame[name].map(str, na_action="ignore") for name in mixed})
