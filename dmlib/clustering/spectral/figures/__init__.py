"""Figures of spectral clustering: first plain data, then a figure of nothing but them."""
