"""The reference: one slider, one line, nothing else imported."""

import streamlit as st

st.write(f"v={st.slider('v', 0, 1000, 500)}.")
