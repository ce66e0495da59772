"""Figures of ROC, precision-recall, gain and profit curves."""
