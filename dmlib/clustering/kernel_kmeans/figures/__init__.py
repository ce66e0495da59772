"""Figures of kernel k-means and fuzzy c-means: first plain data, then a figure of nothing but them."""
