"""Figures on regression by neighbours and trees."""
