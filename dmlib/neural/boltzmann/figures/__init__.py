"""Figures of Boltzmann machines."""
