"""Figures that several techniques share."""
