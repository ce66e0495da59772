"""Figures of discriminant analysis: first plain data, then a figure of nothing but them."""
