"""Figures of logistic regression: first plain data, then a figure of nothing but them."""
