"""Figures of the multilayer perceptron."""
