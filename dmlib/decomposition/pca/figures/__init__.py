"""Figures of principal components: first plain data, then a figure of nothing but them."""
