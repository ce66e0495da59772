"""Gaussian mixtures by expectation maximisation."""
