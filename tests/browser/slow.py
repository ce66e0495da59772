"""A slow network between the browser and the server."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Thread


class SlowNetwork:
    """A context manager: a port that forwards to another local port, ``delay`` seconds later."""

    def __init__(self, port: int):
        self._to = port
        self.delay = 0.0  # each way; it may grow, not shrink
        self._writers: list[asyncio.StreamWriter] = []
        self._connections: list[asyncio.Task[None]] = []
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)

    def __enter__(self) -> SlowNetwork:
        self._thread.start()
        starting = asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result()
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(self, *_exception: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _stop(self) -> None:
        # A server that is closed while a connection comes loses it: nobody would close that one.
        for listening in self._server.sockets:
            self._loop.remove_reader(listening.fileno())
        while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            for connection in self._connections:
                connection.cancel()
            await asyncio.wait(tasks)
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(
            *(writer.wait_closed() for writer in self._writers), return_exceptions=True
        )

    def _accept(self, browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        self._writers.append(to_browser)
        self._connections.append(self._loop.create_task(self._connect(browser, to_browser)))

    async def _connect(
        self, browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter
    ) -> None:
        with suppress(asyncio.CancelledError, ConnectionError):
            server, to_server = await asyncio.open_connection("127.0.0.1", self._to)
            self._writers.append(to_server)
            await asyncio.gather(
                self._pass_on(browser, to_server), self._pass_on(server, to_browser)
            )

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(1 << 16):
                self._loop.call_later(self.delay, writer.write, piece)
        finally:
            self._loop.call_later(self.delay, writer.close)
