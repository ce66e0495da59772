"""Figures on discretisation."""
