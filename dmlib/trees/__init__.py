"""The tree core: how splits are measured, searched for, followed, pruned and written down."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
