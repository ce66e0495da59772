"""Figures of the tree variants: first plain data, then a figure of nothing but them."""
