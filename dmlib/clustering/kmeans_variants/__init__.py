"""Bisecting k-means and X-means."""
