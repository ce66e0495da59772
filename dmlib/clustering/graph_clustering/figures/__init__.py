"""Figures of threshold graph clustering: first plain data, then a figure of nothing but them."""
