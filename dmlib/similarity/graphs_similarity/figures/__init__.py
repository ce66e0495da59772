"""Figures on similarity of graphs."""
