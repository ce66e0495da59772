"""Figures on distances."""
