"""Figures of ensembles of trees: first plain data, then a figure of nothing but them."""
