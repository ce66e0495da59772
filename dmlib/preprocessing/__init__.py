"""Data preparation: types of attributes, data quality, location and spread, cleaning."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
