"""Figures of Fisher's projection: first plain data, then a figure of nothing but them."""
