"""Figures of DBSCAN: first plain data, then a figure of nothing but them."""
