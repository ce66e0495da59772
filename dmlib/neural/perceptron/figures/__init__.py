"""Figures of the perceptron."""
