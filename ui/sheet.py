"""Tables on a page that can be scrolled and downloaded."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dmlib.spreadsheet import to_csv


def sheet(frame: pd.DataFrame, file_name: str, **options: Any) -> Any:
    """Show a table with a button that downloads it; return the result of ``st.dataframe``.

    Streamlit's own download is turned off (``client.disableDataExport``), because it writes texts
    that a spreadsheet runs as formulas.

    Parameters
    ----------
    frame : DataFrame
        The table; an index with names is a column of the file.
    file_name : str
        Under which it is downloaded.
    **options
        Of ``st.dataframe``.
    """
    shown_table = st.dataframe(frame, **options)
    columns = frame if isinstance(frame.index, pd.RangeIndex) else frame.reset_index(names="")
    st.download_button(
        "This table (CSV)", lambda: to_csv(columns), file_name, "text/csv", on_click="ignore"
    )
    return shown_table
