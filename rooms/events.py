"""Server-sent events: the browsers of a room hear of its changes.

A replica listens once to the changes of a room that has browsers here, makes each message once, and
lays it into a stream for each browser. A stream keeps the last message of each kind: a phone that
reads slowly, or not at all, misses what is old and takes no memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from time import time
from typing import Any

from rooms import payloads
from rooms.limits import MAX_STREAMS, TEACHER_STREAMS
from rooms.refusals import StoreError, no_place, unreachable
from rooms.room import Room
from rooms.store import COUNT, END, FRAME, REMOVE, STATE, RoomStore

PULSE = 15.0  # seconds between two comments, which keep a connection open
COUNTING = 0.25  # seconds in which votes are counted together
RETRY = 1.0  # seconds until a store that does not answer is tried again
MARGIN = 0.5  # seconds after the end of a room
TEACHER = ""
"""The name of the teacher among the members of a room."""


def event(name: str, payload: object) -> bytes:
    """Return a server-sent event."""
    return f"event: {name}\ndata: {json.dumps(payload, separators=(',', ':'))}\n\n".encode()


class Stream:
    """The events of one browser.

    Parameters
    ----------
    member : str
        Whose it is; `TEACHER` for the teacher's.
    """

    def __init__(self, member: str) -> None:
        self.member = member
        self._pending: dict[str, bytes] = {}
        self._news = asyncio.Event()
        self._is_ending = False

    def post(self, name: str, message: bytes) -> None:
        """Send a message instead of those of its kind that are not sent yet."""
        self._pending.pop(name, None)
        self._pending[name] = message
        self._news.set()

    def end(self, reason: str = "") -> None:
        """Say why this is the end; without a reason the browser connects again."""
        if reason:
            self.post(END, event(END, {"reason": reason}))
        self._is_ending = True
        self._news.set()

    async def messages(self, pulse: float = PULSE) -> AsyncIterator[bytes]:
        """Yield what is to be sent, until the end."""
        while True:
            try:
                async with asyncio.timeout(pulse):
                    await self._news.wait()
            except TimeoutError:
                yield b":\n\n"
                continue
            self._news.clear()
            pending, self._pending = self._pending, {}
            yield b"".join(pending.values())
            if self._is_ending:
                return


class Channel:
    """The streams of one room on this replica."""

    def __init__(self, store: RoomStore, code: str) -> None:
        self.store = store
        self.code = code
        self.streams: list[Stream] = []
        self._changes = 0
        self._state: tuple[int, dict[bool, bytes]] = (-1, {})
        self._lock = asyncio.Lock()
        self._counting = False
        self._end = asyncio.get_running_loop().call_soon(lambda: None)
        self._listening = asyncio.Event()
        self._tasks = {asyncio.create_task(self._listen())}

    async def join(self, stream: Stream) -> None:
        """Add a stream, which begins with the state."""
        allowed = 1 if stream.member else TEACHER_STREAMS
        same = [each for each in self.streams if each.member == stream.member]
        for each in same[: max(0, len(same) - allowed + 1)]:
            each.end("elsewhere")
            self.streams.remove(each)
        self.streams.append(stream)
        await self._listening.wait()
        with suppress(StoreError):  # else it comes when the store answers again
            if states := await self._states():
                stream.post(STATE, _addressed(stream, states))
            else:
                stream.end("closed")

    def end(self, reason: str = "") -> None:
        """End all streams."""
        for stream in self.streams:
            stream.end(reason)
        self.streams.clear()

    async def stop(self) -> None:
        """Listen no more."""
        self._end.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            with suppress(StoreError):
                async with self.store.changes(self.code) as changes:
                    self._listening.set()
                    await self._post_state()
                    async for change in changes:
                        await self._handle(change)
            self._listening.set()  # who joins meanwhile waits for the store to answer
            await asyncio.sleep(RETRY)

    async def _handle(self, change: str) -> None:
        name, _, about = change.partition(" ")
        if name == END:
            self.end("closed")
        elif name == FRAME:
            self._changes += 1
            self._post(FRAME, {False: f"event: frame\ndata: {about}\n\n".encode()})
        elif name == STATE:
            await self._post_state()
        else:
            self._changes += 1
            if name == REMOVE:
                self._expel(about)
            self._count_soon()

    def _expel(self, member: str) -> None:
        for stream in [each for each in self.streams if each.member == member]:
            stream.end("removed")
            self.streams.remove(stream)

    def _post(self, name: str, messages: dict[bool, bytes]) -> None:
        for stream in self.streams:
            stream.post(name, _addressed(stream, messages))

    async def _post_state(self) -> None:
        self._changes += 1
        if states := await self._states():
            self._post(STATE, states)
        else:
            self.end("closed")

    @property
    def _has_teacher(self) -> bool:
        return any(stream.member == TEACHER for stream in self.streams)

    async def _states(self) -> dict[bool, bytes]:
        """Return the state for phones and, under True, for the teacher; empty without a room."""
        async with self._lock:
            changes, states = self._state
            has_all = not states or True in states or not self._has_teacher
            if changes == self._changes and has_all:
                return states
            changes, states = self._changes, {}
            if room := await self.store.room(self.code):
                self._look_at_end(room)
                payload = await payloads.state(self.store, room)
                states = await self._messages(STATE, room, payload)
            self._state = (changes, states)
            return states

    async def _messages(
        self, name: str, room: Room, payload: payloads.Payload
    ) -> dict[bool, bytes]:
        messages = {False: event(name, payload)}
        if self._has_teacher:
            addition = await payloads.for_teacher(self.store, room)
            messages[True] = event(name, payload | addition)
        return messages

    def _look_at_end(self, room: Room) -> None:
        """Look whether the room is still there when its time is up: Redis forgets it silently."""
        self._end.cancel()
        seconds = max(0.0, room.ends - time()) + MARGIN
        loop = asyncio.get_running_loop()
        self._end = loop.call_later(seconds, lambda: self._start(self._expire()))

    async def _expire(self) -> None:
        with suppress(StoreError):
            await self._post_state()

    def _count_soon(self) -> None:
        if not self._counting:
            self._counting = True
            self._start(self._post_count())

    async def _post_count(self) -> None:
        await asyncio.sleep(COUNTING)
        self._counting = False
        with suppress(StoreError):
            if room := await self.store.room(self.code):
                payload = await payloads.count(self.store, room)
                self._post(COUNT, await self._messages(COUNT, room, payload))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _addressed(stream: Stream, messages: dict[bool, bytes]) -> bytes:
    """Return the message for a phone or, where there is one under True, for the teacher."""
    return messages.get(stream.member == TEACHER, messages[False])


class Hub:
    """The channels of this replica: one for each room that has browsers here."""

    def __init__(self, store: RoomStore) -> None:
        self.store = store
        self.channels: dict[str, Channel] = {}
        self._end: asyncio.Future[None] | None = None

    def check_place(self) -> None:
        """Raise RefusedError if this replica ends, or has as many streams as it may have."""
        if self._end is not None:
            raise unreachable()
        if sum(len(channel.streams) for channel in self.channels.values()) >= MAX_STREAMS:
            raise no_place()

    async def events(self, code: str, member: str) -> AsyncIterator[bytes]:
        """Yield the events of a room for a member of it, or for its teacher."""
        channel = self.channels.get(code)
        if channel is None:
            channel = self.channels[code] = Channel(self.store, code)
        stream = Stream(member)
        try:
            await channel.join(stream)
            async for message in stream.messages():
                yield message
        finally:
            if stream in channel.streams:
                channel.streams.remove(stream)
            if not channel.streams and self.channels.get(code) is channel:
                del self.channels[code]
                await channel.stop()

    def begin_end(self) -> None:
        """Take no more streams, and end all."""
        self._end = asyncio.ensure_future(self.end())

    async def end(self) -> None:
        """End all streams as the server stops: their browsers connect to another replica."""
        channels = list(self.channels.values())
        self.channels.clear()
        for channel in channels:
            channel.end()
        await asyncio.gather(*(channel.stop() for channel in channels))
