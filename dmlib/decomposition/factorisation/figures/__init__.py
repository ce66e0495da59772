"""Figures on factorisations."""
