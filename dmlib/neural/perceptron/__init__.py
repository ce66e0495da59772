"""Perceptron and Adaline."""
