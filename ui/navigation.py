"""Let app.py alone decide which pages there are."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager


def use_page_list() -> None:
    """Start again through app.py where Streamlit has not.

    A folder called pages/ is Streamlit's old way to list pages. Until the first ``st.navigation`` of a process it goes
    that way, so the first visitor of a fresh server who opens a page by its link would get the page without app.py.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
