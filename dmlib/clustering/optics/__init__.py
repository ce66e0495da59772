"""OPTICS."""
