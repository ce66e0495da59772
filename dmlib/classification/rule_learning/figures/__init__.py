"""Figures of rule learning: first plain data, then a figure of nothing but them."""
