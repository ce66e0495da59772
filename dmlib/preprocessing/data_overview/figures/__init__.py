"""Figures of a table: first plain data, then a figure of nothing but them."""
