"""Bayesian networks: classifiers whose columns depend on each other, and queries of networks."""
