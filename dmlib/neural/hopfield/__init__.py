"""Hopfield network."""
