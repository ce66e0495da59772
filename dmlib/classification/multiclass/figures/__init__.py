"""Figures of the reductions to binary problems."""
