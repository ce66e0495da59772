"""Figures of gradient descent."""
