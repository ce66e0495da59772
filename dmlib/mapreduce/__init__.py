"""MapReduce: jobs of map, combine and reduce functions, run as tasks on workers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
