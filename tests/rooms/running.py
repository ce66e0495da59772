"""Rooms on a free port, in the loop of a test, and a real Redis server."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.applications import Starlette

from rooms.routes import RoomRoutes
from rooms.store import RoomStore
from tests.browser.running import free_port

PATIENCE = 20  # seconds until a server must be up
MISSING = (
    "redis-server is not installed: `python3 dev.py test` installs it, or `apt-get install"
    " redis-server` does."
)


class RedisServer:
    """A Redis server of its own, which keeps nothing; use it in a ``with`` statement."""

    def __enter__(self) -> RedisServer:
        self.program = shutil.which("redis-server")
        if self.program is None:
            if os.environ.get("CI"):
                pytest.fail(MISSING)
            pytest.skip(MISSING)
        self.port = free_port()
        self.address = f"redis://127.0.0.1:{self.port}"
        self._folder = tempfile.TemporaryDirectory()
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.end()
        self._folder.cleanup()

    def start(self) -> None:
        command = [self.program, "--bind", "127.0.0.1", "--port", str(self.port)]
        command += ["--save", "", "--appendonly", "no", "--dir", self._folder.name]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, "redis-server ended at once."
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


class Replica:
    """The routes of rooms on a port of their own."""

    def __init__(self, store: RoomStore):
        self.routes = RoomRoutes(store)

    async def __aenter__(self) -> Replica:
        app = Starlette(routes=self.routes.routes())
        config = uvicorn.Config(
            app, log_level="critical", access_log=False, lifespan="off", ws="none"
        )
        self._server = uvicorn.Server(config)
        self._socket = socket.socket(
            proto=socket.IPPROTO_TCP
        )  # then nothing waits for more to send
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._task = asyncio.create_task(self._server.serve([self._socket]))
        while not self._server.started:
            await asyncio.sleep(0.005)
        return self

    async def __aexit__(self, *_exception: object) -> None:
        self._server.should_exit = True
        await self.routes.end()
        await self._task
        self._socket.close()


@asynccontextmanager
async def serving(*stores: RoomStore) -> AsyncIterator[list[Replica]]:
    """Serve rooms from replicas with such stores."""
    replicas = [Replica(store) for store in stores]
    for replica in replicas:
        await replica.__aenter__()
    try:
        yield replicas
    finally:
        for replica in replicas:
            await replica.__aexit__()
