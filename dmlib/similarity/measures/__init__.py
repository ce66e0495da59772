"""Distances and similarities of rows, term by term."""
