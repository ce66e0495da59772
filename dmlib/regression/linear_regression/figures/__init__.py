"""Figures of linear regression."""
