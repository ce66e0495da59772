"""Figures on curves over one column."""
