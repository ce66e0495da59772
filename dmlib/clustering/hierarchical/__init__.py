"""Agglomerative clustering."""
