"""Figures of feature selection: first plain data, then a figure of nothing but them."""
