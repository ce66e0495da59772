"""Coroutines in a loop of their own thread: beside browser tests this one may have a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def in_a_thread(work: Callable[[], Any]) -> Any:
    """Call a function that starts loops, to its end."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def in_a_loop(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end."""
    return in_a_thread(lambda: asyncio.run(work))
