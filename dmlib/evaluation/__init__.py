"""Evaluation: how good a classifier is, from its decisions, its probabilities or its scores."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
