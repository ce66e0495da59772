"""Figures of the Hopfield network."""
