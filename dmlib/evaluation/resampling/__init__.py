"""Resampling: who trains and who tests, and what the error of a model is by that."""
