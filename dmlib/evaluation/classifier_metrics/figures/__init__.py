"""Figures of the confusion matrix and its measures: first plain data, then a figure of nothing but them."""
