"""Neural networks: units that weigh their inputs, and rules by which the weights learn."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
