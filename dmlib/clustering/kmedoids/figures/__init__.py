"""Figures of k-medoids: first plain data, then a figure of nothing but them."""
