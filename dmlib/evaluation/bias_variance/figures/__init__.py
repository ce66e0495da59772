"""Figures of bias and variance: first plain data, then a figure of nothing but them."""
