"""Figures of Gaussian mixtures."""
