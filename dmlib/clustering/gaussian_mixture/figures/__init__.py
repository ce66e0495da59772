"""Figures of Gaussian mixtures by expectation maximisation: first plain data, then a figure of nothing but them."""
