"""Hierarchical clustering: agglomerative and divisive."""
