"""Kernel k-means and fuzzy c-means."""
