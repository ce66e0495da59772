"""What is in a table, and making it ready: types of attributes, quality, middle and spread, cleaning."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
