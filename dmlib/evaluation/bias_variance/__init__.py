"""Bias and variance of a model by simulation."""
