"""Gradient descent and its relatives on functions of two variables."""
