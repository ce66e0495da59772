"""Figures on strings."""
