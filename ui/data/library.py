"""The library's data, loaded once for all visitors."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dmlib.datasets import load


@st.cache_resource(max_entries=100, show_spinner=False)
def library(name: str) -> Any:
    """Return a data set of the library; nobody changes it."""
    return load(name)
