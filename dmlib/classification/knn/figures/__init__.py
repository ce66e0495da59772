"""Figures of k nearest neighbours, and PEBLS: first plain data, then a figure of nothing but them."""
