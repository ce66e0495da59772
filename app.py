"""The app. Start with `streamlit run server.py` (warm) or `streamlit run app.py`."""

import streamlit as st

from ui.introduction import INTRODUCTIONS
from ui.navigation import page_list

page = st.navigation(page_list(), position="top")
title = INTRODUCTIONS[page.url_path].title
st.set_page_config(page_title=title, page_icon="assets/img/icon.png", layout="wide")
page.run()
