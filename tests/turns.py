"""Threads that wait for their turn."""

from __future__ import annotations

import threading
import time

PATIENCE = 20  # seconds until a test that hangs is given up


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.001)


def start(work, *args):
    thread = threading.Thread(target=work, args=args, daemon=True)
    thread.start()
    return thread
