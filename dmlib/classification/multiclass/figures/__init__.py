"""Figures of the reductions to binary problems: first plain data, then a figure of nothing but them."""
