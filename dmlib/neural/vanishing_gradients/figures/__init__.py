"""Figures of vanishing gradients."""
