"""Figures of k-means: first plain data, then a figure of nothing but them."""
