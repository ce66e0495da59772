"""Figures of resampling: first plain data, then a figure of nothing but them."""
