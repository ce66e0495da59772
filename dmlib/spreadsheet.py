"""Texts for files that a spreadsheet may open: none of them runs as a formula there."""

from __future__ import annotations

import pandas as pd

_STARTS = ("=", "+", "-", "@", "\t", "\r")


def inert(text: str) -> str:
    """Return a text, with an apostrophe in front if a spreadsheet would run it as a formula.

    Examples
    --------
    >>> inert("=1+1"), inert("1+1")
    ("'=1+1", '1+1')
    """
    return "'" + text if text.startswith(_STARTS) else text


def to_csv(frame: pd.DataFrame) -> str:
    r"""Return a table as CSV whose names and texts are inert.

    Examples
    --------
    >>> to_csv(pd.DataFrame({"=a": ["@b", "c"], "n": [-1, 2]}))
    "'=a,n\n'@b,-1\nc,2\n"
    """
    columns = {}
    for i, name in enumerate(frame.columns):
        column = frame.iloc[:, i]
        words = not (
            pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column)
        )
        columns[inert(str(name))] = (
            column.astype(object).map(
                lambda value: inert(value) if isinstance(value, str) else value
            )
            if words
            else column
        )
    text: str = pd.DataFrame(columns).to_csv(index=False, lineterminator="\n")
    return text
