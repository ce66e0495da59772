"""Figures on the curse of dimensionality."""
