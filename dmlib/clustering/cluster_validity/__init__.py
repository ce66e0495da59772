"""Measures of how good a clustering is."""
