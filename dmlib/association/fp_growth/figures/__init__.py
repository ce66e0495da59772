"""Figures of FP-growth."""
