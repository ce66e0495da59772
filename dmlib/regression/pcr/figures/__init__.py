"""Figures on regression by components."""
