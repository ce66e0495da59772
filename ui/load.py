"""Turns of visitors, where more come than the server can answer at once.

Streamlit starts a thread for each visitor's change. Eighty of them at work share one interpreter
lock with the loop that sends the answers: everybody waits for everybody, and hardly anything is
finished. docs/decisions/0009 has numbers.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

# Runs of pages: two share the interpreter's lock, and each takes longer than one after the other
AT_ONCE = 1
SLICE = 0.05  # seconds after which a long run lets the next one go first
# Seconds of silence after which a turn counts no more: it is in a long call, or its thread has died
STUCK = 0.1
# Code that lets the interpreter's lock go for microseconds, again and again, starves all who wait
# for it: each time their five milliseconds begin anew. A thread that sleeps really lets it go.
BREATH = 0.02  # seconds of work between two such rests
REST_SECONDS = 0.0001  # seconds of a rest
BUSY = 0.3  # seconds of waiting from which a visitor is told, and gets drafts
CALM = 5.0  # seconds after the last such wait until it is over
NOTICE = "Many visitors are here at once: answers come a little later, and pictures are coarser."


class Preempted(BaseException):
    """Speculative work was preempted by a request; no algorithm takes it for its own error."""


@dataclass
class Turn:
    """The times of a turn: its beginning, the last sign of work, and the last rest.

    Who works ``is_prefetch`` is nobody's crowd: it gives way.
    """

    since: float
    last_sign: float
    rested: float
    is_prefetch: bool = False


class Turns:
    """A queue: first come, first served, a few at once.

    Parameters
    ----------
    at_once : int
        How many have their turn at the same time.
    clock, sleep : callable
        Returns seconds; takes some.
    """

    def __init__(
        self, at_once: int = AT_ONCE, clock: Any = time.monotonic, sleep: Any = time.sleep
    ) -> None:
        self._at_once, self._clock, self._sleep = at_once, clock, sleep
        self._lock = threading.Lock()
        self._waiting: deque[tuple[int, threading.Event]] = deque()
        self._having: dict[int, Turn] = {}  # by thread
        self._last_wait = -float("inf")

    def take(self) -> None:
        """Wait for a turn."""
        start, waiting_thread = self._clock(), (threading.get_ident(), threading.Event())
        with self._lock:
            crowd = bool(self._waiting) or any(
                not turn.is_prefetch for turn in self._having.values()
            )
            self._waiting.append(waiting_thread)
            self._let_in()
        had_to_wait = crowd and not waiting_thread[1].is_set()  # a slow machine alone is no crowd
        while not waiting_thread[1].wait(STUCK):
            with self._lock:
                self._let_in()
        if had_to_wait and self._clock() - start > BUSY:
            self._last_wait = self._clock()

    def take_ahead(self) -> bool:
        """Take a turn for a prefetch, if nobody is at work or waits; return whether there was one.

        It never waits itself: that would be taken for a crowd, and what is made at rest would
        be a draft on a slow machine.
        """
        with self._lock:
            free = not self.is_taken
            if free:
                clock_time = self._clock()
                self._having[threading.get_ident()] = Turn(
                    clock_time, clock_time, clock_time, is_prefetch=True
                )
        return free

    def leave(self) -> None:
        """End the turn of this thread, if it has one."""
        with self._lock:
            if self._having.pop(threading.get_ident(), None) is not None:
                self._let_in()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let others have the turn of this thread while it waits for another process."""
        had_turn = threading.get_ident() in self._having
        self.leave()
        try:
            yield
        finally:
            if had_turn:
                self.take()

    def pass_on(self) -> None:
        """Let the next one go first, if this thread has had its turn for long.

        Raises
        ------
        Preempted
            If somebody waits, and this thread works ahead.
        """
        turn = self._having.get(threading.get_ident())
        if turn is None:
            return
        turn.last_sign = self._clock()
        if self._waiting and turn.is_prefetch:
            raise Preempted
        if self._waiting and turn.last_sign - turn.since > SLICE:
            self.leave()
            self.take()
        elif turn.last_sign - turn.rested > BREATH:
            self._sleep(REST_SECONDS)
            turn.rested = self._clock()

    @property
    def is_taken(self) -> bool:
        """Whether somebody is at work or waits."""
        clock_time = self._clock()
        return bool(self._waiting) or any(
            clock_time - turn.last_sign < STUCK for turn in list(self._having.values())
        )

    @property
    def busy(self) -> bool:
        """Whether somebody has waited for long, just now."""
        return bool(self._clock() - self._last_wait < CALM)

    def _let_in(self) -> None:
        """Give turns to those who wait, as far as there are any; the lock is held."""
        clock_time = self._clock()
        while (
            self._waiting
            and sum(clock_time - turn.last_sign < STUCK for turn in self._having.values())
            < self._at_once
        ):
            thread, event = self._waiting.popleft()
            self._having[thread] = Turn(clock_time, clock_time, clock_time)
            event.set()


TURNS = Turns()
