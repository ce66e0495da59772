"""Figures of association rules."""
