"""Figures of semi-supervised and active learning."""
