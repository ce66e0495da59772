"""Many visitors at once on the k-means page, each with a slider that moves once a second.

The visitors speak Streamlit's protocol without a browser (``client.py``), so all of it is the
server's time. A change counts as answered if the scene for its very value arrives, and not if the
next change of its visitor overtakes it. Beyond what the server can do, what counts is how long a
visitor sees nothing new.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import numpy as np
import psutil

from benchmarks.client import Client, ask, finished, stage
from benchmarks.serve import ROOT, Server
from benchmarks.tables import median, p95
from dmlib.pictures.encode import decode

PAGE = "kmeans"
SLIDER = "kmeans.n_clusters"
LOW, HIGH = 2, 10
SESSIONS = (1, 5, 10, 20, 40, 60, 80)
GRACE = 3.0  # seconds for the last answers
RERUNS = 1000


def clusters(scene: bytes) -> int:
    """Return the number of clusters that an encoded k-means scene has been made for."""
    return next(
        int(control["value"]) for control in decode(scene)["controls"] if control["name"] == SLIDER
    )


def walk(start: int) -> Any:
    """Yield values up and down the slider's range, one apart, beginning next to ``start``."""
    value, by = start, 1
    while True:
        by = -1 if value >= HIGH else 1 if value <= LOW else by
        value += by
        yield value


async def visit(client: Client) -> None:
    """Open the page and wait until it stands; the first visitor of a server gets it in two runs."""
    await client.rerun()
    while SLIDER not in client.sliders:
        await client.answer()


class Visitor:
    """One session that moves its slider once a second and listens."""

    def __init__(self, client: Client):
        self.client = client
        self.pending: dict[int, float] = {}  # value: when it was sent
        self.sent = 0
        self.milliseconds: list[float] = []
        self.answered: list[float] = []  # when

    async def move(self, seconds: float, delay: float) -> None:
        """Send one change a second."""
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(delay)
        values, start = walk(3), clock()
        while clock() - start < seconds:
            value = next(values)
            self.pending[value] = clock()
            self.sent += 1
            await self.client.rerun(**{SLIDER: float(value)})
            await asyncio.sleep(max(0.0, start + self.sent - clock()))

    async def listen(self) -> None:
        """Note when the answer to a change arrives."""
        clock = asyncio.get_running_loop().time
        while True:
            scene = stage(await self.client.receive())
            if scene is not None:
                self.answered.append(clock())
            if scene is not None and (sent := self.pending.pop(clusters(scene), None)) is not None:
                self.milliseconds.append(1000 * (clock() - sent))


def longest(visitors: Sequence[Visitor], start: float, end: float) -> float:
    """Return the longest time without an answer for a visitor who makes changes all the time."""
    return max(
        float(np.diff([start, *(at for at in visitor.answered if at < end), end]).max())
        for visitor in visitors
    )


async def crowd(server: Server, n: int, seconds: float, idle_rss: float) -> dict[str, Any]:
    """Let ``n`` sessions work for a while."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(server.address, PAGE)) for _ in range(n)]
        for client in clients:
            await visit(client)
        rss, cpu = server.rss, server.cpu
        visitors = [Visitor(client) for client in clients]
        listeners = [asyncio.create_task(visitor.listen()) for visitor in visitors]
        psutil.cpu_percent()  # from here
        start = asyncio.get_running_loop().time()
        # Their seconds begin spread over one second, as people's do.
        await asyncio.gather(*(visitor.move(seconds, i / n) for i, visitor in enumerate(visitors)))
        cpu, busy = server.cpu - cpu, psutil.cpu_percent()
        end = asyncio.get_running_loop().time()
        await asyncio.sleep(GRACE)
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)
    sent = sum(visitor.sent for visitor in visitors)
    times = [time for visitor in visitors for time in visitor.milliseconds]
    return {
        "sessions": n,
        "sent": sent,
        "answered %": 100 * len(times) / sent,
        "p50 ms": median(times),
        "p95 ms": p95(times),
        "longest without s": longest(visitors, start + 1, end),
        "server CPU %": 100 * cpu / (seconds + (n - 1) / n),
        "machine busy %": busy,
        "idle MB / session": (rss - idle_rss) / n,
        "RSS MB": server.rss,
    }


async def growth(server: Server, reruns: int) -> dict[str, Any]:
    """Rerun one session many times; return the growth of memory after the first tenth."""
    async with Client(server.address, PAGE) as client:
        await visit(client)
        values, times = walk(3), []
        for i in range(reruns):
            if i == reruns // 10:
                before = server.rss
            milliseconds, messages = await ask(client, **{SLIDER: float(next(values))})
            assert any(map(finished, messages))
            times.append(milliseconds)
        return {
            "reruns": reruns,
            "median ms": median(times),
            "RSS MB": server.rss,
            "growth MB": server.rss - before,
        }


async def settle(server: Server) -> float:
    """Let a visitor come and go; return the memory of the warm server in megabytes."""
    async with Client(server.address, PAGE) as client:
        await visit(client)
        await ask(client, **{SLIDER: 4.0})
    return server.rss


def main(
    seconds: float = 30, sessions: tuple[int, ...] = SESSIONS, reruns: int = RERUNS
) -> list[dict[str, Any]]:
    """Measure crowds of growing size, each on a fresh server, and a long session."""
    rows = []
    for n in sessions:
        with Server(ROOT / "server.py") as server:
            rows.append(asyncio.run(_crowd(server, n, seconds)))
    with Server(ROOT / "server.py") as server:
        rows.append(asyncio.run(_growth(server, reruns)))
    return rows


async def _crowd(server: Server, n: int, seconds: float) -> dict[str, Any]:
    return await crowd(server, n, seconds, await settle(server))


async def _growth(server: Server, reruns: int) -> dict[str, Any]:
    await settle(server)
    return await growth(server, reruns)
