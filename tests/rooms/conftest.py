"""The same tests on both stores."""

import pytest
from redis import Redis

from rooms.redis_store import RedisStore
from rooms.store import MemoryStore
from tests.rooms.running import RedisServer


@pytest.fixture(scope="session")
def redis():
    with RedisServer() as server:
        yield server


@pytest.fixture(params=["memory", "redis"])
def new_store(request):
    """Makes a store, in the loop that it is used in."""
    if request.param == "memory":
        return MemoryStore
    server = request.getfixturevalue("redis")
    with Redis.from_url(server.address) as client:
        client.flushall()
    return lambda: RedisStore(server.address)
