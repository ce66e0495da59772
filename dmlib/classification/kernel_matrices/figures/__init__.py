"""Figures of kernel matrices: first plain data, then a figure of nothing but them."""
