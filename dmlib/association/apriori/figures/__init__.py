"""Figures of Apriori."""
