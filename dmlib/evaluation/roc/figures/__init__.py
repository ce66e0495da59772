"""Figures of ROC, precision-recall, gain and profit curves: first plain data, then a figure of nothing but them."""
