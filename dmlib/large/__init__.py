"""Data larger than memory: estimators, samples and a profile that read a table by blocks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
