"""Figures of the confusion matrix and its measures."""
