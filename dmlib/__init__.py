"""Step-by-step data mining: every algorithm is a generator of its own steps."""

import lazy_loader

__version__ = "0.2.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
