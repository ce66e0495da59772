"""The end of a server: it waits for its streams, which know no end of their own."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def when_asked_to_end(act: Callable[[], object]) -> None:
    """Do something when the process is asked to end, and what was to be done before as well.

    uvicorn waits until each response is complete, and asks the app to end only then.

    Parameters
    ----------
    act : callable
        Called in the running loop.
    """
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        before = signal.getsignal(number)

        def handle(
            received: int,
            frame: FrameType | None,
            before: Callable[[int, FrameType | None], object] | int | None = before,
        ) -> None:
            loop.call_soon_threadsafe(act)
            if callable(before):
                before(received, frame)

        signal.signal(number, handle)
