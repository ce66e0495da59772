"""Rooms in Redis: several replicas share them, and a replica that dies loses none.

A room is a hash, with one hash beside it for each table and one for its scenes; all expire when the
room does. Each change is one script, which nothing interrupts, and is published in it, so that it
is told in the order in which it was made.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from time import time
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from rooms.limits import GUESSES, GUESSES_PER_SECOND, MAX_ROOMS, N_SCENES
from rooms.refusals import StoreError, crowded, no_place, no_room, not_asked, stranger
from rooms.room import MEMBERS, QUESTIONS, ROOM_TABLES, Room
from rooms.store import COUNT, END, REMOVE, STATE

PREFIX = "dmlib:room:"
CODES = "dmlib:rooms"
GUESSED = "dmlib:guessed:"
MAX_CONNECTIONS = 32
PATIENCE = 4.0  # seconds until Redis has answered
PULSE = 15  # seconds until a silent connection is asked whether it is there
SCENES, SCENE_ORDER = "scenes", "scenes.order"
MISSING, NOT_OPEN, STRANGER, CROWDED = -1, -2, -3, -4

OPEN = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return -1 end
redis.call('HSET', KEYS[2], 'room', ARGV[3], 'tables', ARGV[4], 'number', 0, 'ends', ARGV[5])
redis.call('PEXPIREAT', KEYS[2], ARGV[5])
redis.call('ZADD', KEYS[1], ARGV[5], ARGV[6])
return 1
"""
REPLACE = """
if redis.call('HGET', KEYS[1], 'number') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'room', ARGV[2], 'tables', ARGV[3], 'number', ARGV[4])
redis.call('PUBLISH', KEYS[1], ARGV[5])
return 1
"""
ENTER = """
local tables = redis.call('HGET', KEYS[1], 'tables')
if not tables then return -1 end
if not string.find(tables, ' ' .. ARGV[1] .. ' ', 1, true) then return -2 end
if KEYS[3] and redis.call('HEXISTS', KEYS[3], ARGV[2]) == 0 then return -3 end
local size = redis.call('HLEN', KEYS[2])
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 0 and size >= tonumber(ARGV[4]) then return -4 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('PEXPIREAT', KEYS[2], redis.call('HGET', KEYS[1], 'ends'))
redis.call('PUBLISH', KEYS[1], ARGV[5])
return redis.call('HLEN', KEYS[2])
"""
CLOSE = """
local room = redis.call('HGET', KEYS[1], 'room')
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('PUBLISH', KEYS[1], ARGV[2])
return room
"""
SCENE = """
local ends = redis.call('HGET', KEYS[1], 'ends')
if not ends then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('LREM', KEYS[3], 0, ARGV[1])
redis.call('LPUSH', KEYS[3], ARGV[1])
while redis.call('LLEN', KEYS[3]) > tonumber(ARGV[3]) do
  redis.call('HDEL', KEYS[2], redis.call('RPOP', KEYS[3]))
end
redis.call('PEXPIREAT', KEYS[2], ends)
redis.call('PEXPIREAT', KEYS[3], ends)
return 1
"""

# A key is the time at which an address will have all its guesses again: then it expires.
GUESS = """
local now = redis.call('TIME')
local seconds = now[1] + now[2] / 1000000
local full = math.max(seconds, tonumber(redis.call('GET', KEYS[1]) or 0)) + ARGV[2]
local wait = full - seconds - ARGV[1] * ARGV[2]
if wait > 0 then return tostring(wait) end
if ARGV[3] == '1' then
  redis.call('SET', KEYS[1], string.format('%.6f', full), 'PXAT', math.ceil(full * 1000))
end
return '0'
"""


class RedisStore:
    """Rooms in a Redis server.

    Parameters
    ----------
    address : str
        ``redis://host:port/number``, or another address that redis-py takes.
    """

    def __init__(self, address: str) -> None:
        waits: dict[str, Any] = {"socket_connect_timeout": PATIENCE, "socket_timeout": PATIENCE}
        pool = BlockingConnectionPool.from_url(
            address, max_connections=MAX_CONNECTIONS, timeout=PATIENCE, **waits
        )
        self._redis = Redis.from_pool(pool)
        # A connection that listens is silent for as long as nothing changes.
        self._listening = Redis.from_url(
            address, socket_connect_timeout=PATIENCE, health_check_interval=PULSE
        )
        self._open = self._redis.register_script(OPEN)
        self._replace = self._redis.register_script(REPLACE)
        self._close = self._redis.register_script(CLOSE)
        self._enter = self._redis.register_script(ENTER)
        self._scene = self._redis.register_script(SCENE)
        self._guess = self._redis.register_script(GUESS)

    async def open(self, room: Room) -> bool:
        """Keep a new room."""
        ends = int(room.ends * 1000)
        with _reaching():
            outcome = await self._open(
                keys=[CODES, _key(room.code)],
                args=[time() * 1000, MAX_ROOMS, room.encoded(), _tables(room), ends, room.code],
            )
        if outcome < 0:
            raise no_place()
        return bool(outcome)

    async def room(self, code: str) -> Room | None:
        """Return a room."""
        with _reaching():
            text = await self._redis.hget(_key(code), "room")
        return Room.decoded(text) if text else None

    async def replace(self, room: Room, change: str) -> bool:
        """Keep the next value of a room."""
        with _reaching():
            return bool(
                await self._replace(
                    keys=[_key(room.code)],
                    args=[room.number - 1, room.encoded(), _tables(room), room.number, change],
                )
            )

    async def close(self, code: str) -> None:
        """Forget a room."""
        with _reaching():
            text = await self._close(keys=[_key(code), CODES], args=[code, END])
            if text:  # nothing is entered any more
                tables = Room.decoded(text).all_tables
                names = [*tables, SCENES, SCENE_ORDER]
                await self._redis.delete(*(_key(code, name) for name in names))

    async def enter(self, code: str, table: str, key: str, value: str, limit: int) -> int:
        """Enter a value."""
        keys = [_key(code), _key(code, table)]
        if table not in ROOM_TABLES:
            keys.append(_key(code, MEMBERS))
        with _reaching():
            size = int(await self._enter(keys=keys, args=[table, key, value, limit, COUNT]))
        if size < 0:
            refusals = {MISSING: no_room, NOT_OPEN: not_asked, STRANGER: stranger, CROWDED: crowded}
            raise refusals[size]()
        return size

    async def entry(self, code: str, table: str, key: str) -> str | None:
        """Return the value of a key."""
        with _reaching():
            value = await self._redis.hget(_key(code, table), key)
        return None if value is None else _text(value)

    async def entries(self, code: str, table: str) -> dict[str, str]:
        """Return the values of a table."""
        with _reaching():
            entries = await self._redis.hgetall(_key(code, table))
        return {_text(key): _text(value) for key, value in entries.items()}

    async def size(self, code: str, table: str) -> int:
        """Return how many values a table has."""
        with _reaching():
            return int(await self._redis.hlen(_key(code, table)))

    async def remove(self, code: str, member: str) -> None:
        """Take a member out of a room."""
        room = await self.room(code)
        if room is None:
            return
        with _reaching():
            async with self._redis.pipeline() as actions:
                for table in room.all_tables:
                    if table != QUESTIONS:
                        actions.hdel(_key(code, table), member)
                actions.publish(_key(code), f"{REMOVE} {member}")
                await actions.execute()

    async def keep_scene(self, code: str, digest: str, scene: bytes) -> None:
        """Keep a scene."""
        keys = [_key(code), _key(code, SCENES), _key(code, SCENE_ORDER)]
        with _reaching():
            await self._scene(keys=keys, args=[digest, scene, N_SCENES])

    async def scene(self, code: str, digest: str) -> bytes | None:
        """Return a scene."""
        with _reaching():
            scene = await self._redis.hget(_key(code, SCENES), digest)
        return scene if isinstance(scene, bytes) else None

    async def wait_for_guess(self, address: str, *, counts: bool) -> float:
        """Return the seconds until an address may be wrong; all replicas count together."""
        key = GUESSED + sha256(address.encode()).hexdigest()
        with _reaching():
            args = [GUESSES, 1 / GUESSES_PER_SECOND, int(counts)]
            return float(await self._guess(keys=[key], args=args))

    @asynccontextmanager
    async def changes(self, code: str) -> AsyncIterator[AsyncIterator[str]]:
        """Listen to the changes of a room."""
        with _reaching():
            async with self._listening.pubsub() as listener:
                await listener.subscribe(_key(code))
                if await listener.get_message(timeout=PATIENCE) is None:
                    raise StoreError("Redis has not confirmed a subscription.")
                yield _messages(listener)

    async def disconnect(self) -> None:
        """Close the connections to Redis."""
        await self._redis.aclose()
        await self._listening.aclose()


async def _messages(listener: PubSub) -> AsyncIterator[str]:
    while True:
        message = await listener.get_message(timeout=PATIENCE)
        if message and message["type"] == "message":
            yield message["data"].decode()
        elif message:  # the connection was cut, and what happened meanwhile was not heard
            yield STATE


@contextmanager
def _reaching() -> Iterator[None]:
    """Say in the package's own words that Redis does not answer."""
    try:
        yield
    except (RedisError, OSError) as error:
        raise StoreError(str(error)) from error


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _key(code: str, table: str = "") -> str:
    return f"{PREFIX}{code}:{table}" if table else f"{PREFIX}{code}"


def _tables(room: Room) -> str:
    """Return the open tables, with a blank on both sides of each."""
    return f" {' '.join(room.open_tables)} "
