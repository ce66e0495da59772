"""Heavy work as tasks (sweeps, resamples, forests), in this process or on a Dask cluster.

The environment variable ``DMLIB_ENGINE`` decides: without it tasks run here, in threads or in
processes beside this one; ``local`` starts a cluster on this machine; ``tcp://host:8786`` uses one
that is there. The numbers are the same.
"""

from dmlib.engine.mapping import Progress, brief, engine_map, on_behalf_of
from dmlib.engine.places import Place, place
from dmlib.engine.task import Stopped, Task

map = engine_map  # noqa: A001 -- as an executor of concurrent.futures calls it

__all__ = [
    "Place",
    "Progress",
    "Stopped",
    "Task",
    "brief",
    "engine_map",
    "map",
    "on_behalf_of",
    "place",
]
