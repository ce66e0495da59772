"""The list of pages. Start with `streamlit run server.py` (warm) or `streamlit run app.py`."""

import streamlit as st

from ui.catalogue import CATALOGUE, FAMILIES

st.set_page_config(page_title="dmlib", page_icon="assets/img/icon.png", layout="wide")

home = st.Page("pages/home.py", title="Home", icon=":material/home:", default=True)
pages = {"": [home]} | {
    family: [
        st.Page(f"pages/{entry.slug}.py", title=entry.title, help=entry.summary)
        for entry in CATALOGUE.values()
        if entry.family == family
    ]
    for family in FAMILIES
    if any(entry.family == family for entry in CATALOGUE.values())
}
st.navigation(pages, position="top").run()
