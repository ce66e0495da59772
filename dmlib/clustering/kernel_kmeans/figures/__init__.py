"""Figures of kernel k-means and fuzzy c-means."""
