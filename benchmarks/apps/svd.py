"""A page with one slider and a long decomposition, all of it inside BLAS and LAPACK."""

import os

import numpy as np
import streamlit as st

size = int(os.environ["BENCHMARK_SIZE"])
value = st.slider("v", 0, 1000, 500)
matrix = np.random.default_rng(value).normal(size=(size, size))
st.write(f"v={value}: {np.linalg.svd(matrix, compute_uv=False)[0]:.3f}")
