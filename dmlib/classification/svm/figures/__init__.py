"""Figures of support vector machines: first plain data, then a figure of nothing but them."""
