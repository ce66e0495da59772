"""The app. Start with `streamlit run server.py` (warm) or `streamlit run app.py`."""

import streamlit as st

from ui.introduction import INTRODUCTIONS
from ui.navigation import page_list
from ui.streamlit_private.embedding import is_embedded

# Before the navigation: the browser would fetch the icon of a page from a foreign host.
st.set_page_config(page_icon="assets/img/icon.png", layout="wide")
page = st.navigation(page_list(), position="hidden" if is_embedded() else "top")
st.set_page_config(page_title=INTRODUCTIONS[page.url_path].title)
page.run()
