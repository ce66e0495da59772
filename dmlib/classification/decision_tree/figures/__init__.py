"""Figures of decision trees: first plain data, then a figure of nothing but them."""
