"""Heavy work of a session: it ends when its visitor leaves or wants other things."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from dmlib.engine import on_behalf_of, places
from dmlib.trace import watched
from ui.session import current_session

INTERVAL = 0.05  # seconds between two looks at the session


def end_workers() -> None:
    """End the processes and the cluster that the server has started for its visitors."""
    places.close()


@contextmanager
def work_of_session() -> Iterator[None]:
    """Let the engine work for this session, as long as somebody waits for it."""
    last_look = time.monotonic()

    def anybody_there() -> None:
        nonlocal last_look
        if (moment := time.monotonic()) - last_look > INTERVAL:
            last_look = moment
            # Touching it ends this run of the page if another is asked for, or the visitor has
            # left.
            current_session()

    with on_behalf_of(current_session().name), watched(anybody_there):
        yield
