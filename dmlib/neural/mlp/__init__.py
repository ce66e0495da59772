"""Multilayer perceptron."""
