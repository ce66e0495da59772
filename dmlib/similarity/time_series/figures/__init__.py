"""Figures on dynamic time warping."""
