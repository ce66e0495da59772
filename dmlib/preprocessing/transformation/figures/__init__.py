"""Figures on scaling."""
