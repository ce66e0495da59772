"""Figures of cluster validity: first plain data, then a figure of nothing but them."""
