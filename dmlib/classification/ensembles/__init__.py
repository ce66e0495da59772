"""Bagging and random forests."""
