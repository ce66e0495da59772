"""Functions that travel to workers."""

import os
import signal
import time
from pathlib import Path

from dmlib.trace import look


def draw(item, rng):
    return item, rng.normal(size=3).tolist()


def square(item):
    return item * item


def looking_square(item):
    look()
    return item * item


def refuse(item):
    if item == 3:
        raise ValueError("Three is refused.")
    return item


def wait_for_ever(folder, item):
    """The first task ends at once; the others say that they have begun, and wait."""
    while item:
        (Path(folder) / str(item)).touch()
        time.sleep(0.005)
        look()
    return item


def die_once(folder, item):
    """The worker of item 2 dies, the first time."""
    mark = Path(folder) / "died"
    if item == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item * item


def slow_square(folder, item):
    """Return who does it, after the file ``go`` is there; the first task ends at once."""
    (Path(folder) / f"pid-{os.getpid()}").touch()
    while item and not (Path(folder) / "go").exists():
        time.sleep(0.005)
        look()
    return item * item
