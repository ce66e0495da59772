"""Worker processes that end with the process that has started them, however that one ends."""

from __future__ import annotations

import os
import threading
import time

INTERVAL = 0.5  # seconds between two looks at the parent


def end_with(parent: int) -> None:
    """End this process with its parent: called first in a worker, with the parent's number.

    Parameters
    ----------
    parent : int
        The process that has started this one.

    Notes
    -----
    A process whose parent has ended is given to another one, which POSIX systems show at once and
    Windows never does: there a worker ends after its rest. Linux could send a signal instead, but
    it does so when the *thread* that has started the worker ends, and a visitor's thread ends with
    each answer.
    """
    if os.name == "posix":
        threading.Thread(target=_watch, args=(parent,), name="lifeline", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(INTERVAL)
    os._exit(1)  # nobody waits for an answer, and nothing has to be tidied up
