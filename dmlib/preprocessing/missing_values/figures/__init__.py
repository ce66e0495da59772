"""Figures of missing values."""
