"""Figures of boosting: first plain data, then a figure of nothing but them."""
