"""Vanishing gradients."""
