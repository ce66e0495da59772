"""The confusion matrix and its measures."""
