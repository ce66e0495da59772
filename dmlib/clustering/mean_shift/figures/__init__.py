"""Figures of mean shift: first plain data, then a figure of nothing but them."""
