"""Where rooms are: what a store does, and one in the process."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from time import time
from typing import Protocol

from rooms.limits import GUESSES, GUESSES_PER_SECOND, MAX_ROOMS, N_SCENES, Rate
from rooms.refusals import crowded, no_place, no_room, not_asked, stranger
from rooms.room import MEMBERS, QUESTIONS, ROOM_TABLES, Room

COUNT = "count"
STATE = "state"
END = "end"
REMOVE = "remove"
FRAME = "frame"
"""The first word of a change. A frame is followed by its message, a removal by the member."""


class RoomStore(Protocol):
    """Keeps rooms until they end.

    Each method is one indivisible action, whoever else asks at the same time. What is entered are
    texts in tables, one for each key. Changes are told to who listens, as texts.
    """

    async def open(self, room: Room) -> bool:
        """Keep a new room; False if its code is taken.

        Raises RefusedError if there are too many.
        """

    async def room(self, code: str) -> Room | None:
        """Return a room; None if there is none."""

    async def replace(self, room: Room, change: str) -> bool:
        """Keep the next value of a room and tell the change; False if another one was quicker."""

    async def close(self, code: str) -> None:
        """Forget a room and all that belongs to it, and tell its end."""

    async def enter(self, code: str, table: str, key: str, value: str, limit: int) -> int:
        """Enter a value, or replace that of the same key; return how many the table has.

        Raises RefusedError if the table is not open, if it is full, or if the key is no member's.
        """

    async def entry(self, code: str, table: str, key: str) -> str | None:
        """Return the value of a key; None if it has none."""

    async def entries(self, code: str, table: str) -> dict[str, str]:
        """Return the values of a table by key."""

    async def size(self, code: str, table: str) -> int:
        """Return how many values a table has."""

    async def remove(self, code: str, member: str) -> None:
        """Take a member and all that it has entered out of a room, and tell so."""

    async def keep_scene(self, code: str, digest: str, scene: bytes) -> None:
        """Keep a scene of a room, and the one before it."""

    async def scene(self, code: str, digest: str) -> bytes | None:
        """Return a scene of a room; None if it is not kept."""

    async def wait_for_guess(self, address: str, *, counts: bool) -> float:
        """Return the seconds until an address may be wrong; 0, perhaps counted, if it may now."""

    def changes(self, code: str) -> AbstractAsyncContextManager[AsyncIterator[str]]:
        """Listen to the changes of a room; none is missed from the moment that it is entered."""

    async def disconnect(self) -> None:
        """Give back what the store holds."""


@dataclass
class _Record:
    room: Room
    tables: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    scenes: dict[str, bytes] = field(default_factory=dict)


class MemoryStore:
    """Rooms in the process: they end with it."""

    def __init__(self) -> None:
        self.guesses = Rate(GUESSES, GUESSES_PER_SECOND)
        self._records: dict[str, _Record] = {}
        self._listeners: defaultdict[str, set[asyncio.Queue[str]]] = defaultdict(set)

    async def open(self, room: Room) -> bool:
        """Keep a new room."""
        if len(self._records) >= MAX_ROOMS:
            raise no_place()
        if room.code in self._records:
            return False
        self._records[room.code] = _Record(room)
        loop = asyncio.get_running_loop()
        loop.call_later(room.ends - time(), self._end, room.code, room.secret)
        return True

    async def room(self, code: str) -> Room | None:
        """Return a room."""
        record = self._records.get(code)
        return record.room if record else None

    async def replace(self, room: Room, change: str) -> bool:
        """Keep the next value of a room."""
        record = self._records.get(room.code)
        if record is None or record.room.number != room.number - 1:
            return False
        record.room = room
        self._notify(room.code, change)
        return True

    async def close(self, code: str) -> None:
        """Forget a room."""
        if record := self._records.get(code):
            self._end(code, record.room.secret)

    async def enter(self, code: str, table: str, key: str, value: str, limit: int) -> int:
        """Enter a value."""
        record = self._records.get(code)
        if record is None:
            raise no_room()
        if table not in record.room.open_tables:
            raise not_asked()
        if table not in ROOM_TABLES and key not in record.tables[MEMBERS]:
            raise stranger()
        entries = record.tables[table]
        if key not in entries and len(entries) >= limit:
            raise crowded()
        entries[key] = value
        self._notify(code, COUNT)
        return len(entries)

    async def entry(self, code: str, table: str, key: str) -> str | None:
        """Return the value of a key."""
        return self._table(code, table).get(key)

    async def entries(self, code: str, table: str) -> dict[str, str]:
        """Return the values of a table."""
        return dict(self._table(code, table))

    async def size(self, code: str, table: str) -> int:
        """Return how many values a table has."""
        return len(self._table(code, table))

    async def remove(self, code: str, member: str) -> None:
        """Take a member out of a room."""
        if record := self._records.get(code):
            for name, table in record.tables.items():
                if name != QUESTIONS:
                    table.pop(member, None)
            self._notify(code, f"{REMOVE} {member}")

    async def keep_scene(self, code: str, digest: str, scene: bytes) -> None:
        """Keep a scene."""
        if record := self._records.get(code):
            scenes = record.scenes
            scenes.pop(digest, None)
            scenes[digest] = scene
            while len(scenes) > N_SCENES:
                del scenes[next(iter(scenes))]

    async def scene(self, code: str, digest: str) -> bytes | None:
        """Return a scene."""
        record = self._records.get(code)
        return record.scenes.get(digest) if record else None

    async def wait_for_guess(self, address: str, *, counts: bool) -> float:
        """Return the seconds until an address may be wrong."""
        return self.guesses.take(address) if counts else self.guesses.wait(address)

    @asynccontextmanager
    async def changes(self, code: str) -> AsyncIterator[AsyncIterator[str]]:
        """Listen to the changes of a room."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._listeners[code].add(queue)
        try:
            yield _each(queue)
        finally:
            self._listeners[code].discard(queue)
            if not self._listeners[code]:
                del self._listeners[code]

    async def disconnect(self) -> None:
        """Forget all rooms."""
        self._records.clear()

    def _table(self, code: str, table: str) -> dict[str, str]:
        record = self._records.get(code)
        return record.tables.get(table, {}) if record else {}

    def _notify(self, code: str, change: str) -> None:
        for queue in self._listeners.get(code, ()):
            queue.put_nowait(change)

    def _end(self, code: str, secret: str) -> None:
        """Forget a room; its code may be another room's by now."""
        record = self._records.get(code)
        if record and record.room.secret == secret:
            del self._records[code]
            self._notify(code, END)


async def _each(queue: asyncio.Queue[str]) -> AsyncIterator[str]:
    while True:
        yield await queue.get()
