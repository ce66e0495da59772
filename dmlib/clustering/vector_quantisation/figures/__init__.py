"""Figures of vector quantisation."""
