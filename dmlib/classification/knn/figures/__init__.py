"""Figures of k nearest neighbours."""
