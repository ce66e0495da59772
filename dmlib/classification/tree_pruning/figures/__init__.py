"""Figures of pruning: first plain data, then a figure of nothing but them."""
