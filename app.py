"""The app. Start with `streamlit run server.py` (warm) or `streamlit run app.py`."""

import streamlit as st

from ui.navigation import page_list

st.set_page_config(page_title="dmlib", page_icon="assets/img/icon.png", layout="wide")
st.navigation(page_list(), position="top").run()
