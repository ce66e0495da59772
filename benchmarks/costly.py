"""Latency of five visitors while another opens the most expensive links, one after the other.

The five move a slider once a second each. The server may use 1.5 GB of addresses more than when it
was idle.
"""

from __future__ import annotations

import asyncio
import resource
from contextlib import AsyncExitStack
from importlib import import_module
from typing import Any
from urllib.parse import urlencode

import psutil

from benchmarks.client import Client, stage
from benchmarks.load import PAGE, Visitor, settle, visit
from benchmarks.serve import ROOT, Server
from benchmarks.tables import median, p95
from dashboard.catalogue import CATALOGUE

EXPENSIVE: Any = import_module("tests.contract.costly")  # by its name: the tests are not typed
NEIGHBOURS = 5
WARM = 5  # seconds that they have for themselves


async def open_page(server: Server, slug: str, query: str) -> float:
    """Open a link as a new visitor; return the seconds until its last picture or refusal."""
    clock = asyncio.get_running_loop().time
    async with Client(server.address, slug) as client:
        client.query, start = query, clock()
        await client.rerun()
        messages = await client.answer()
        while not any(map(stage, messages)):
            messages = await client.answer()
        return clock() - start


async def with_neighbours(server: Server, slugs: list[str]) -> list[dict[str, Any]]:
    """Return one row for the neighbours alone, and one for each link that is opened beside them."""
    await settle(server)
    for slug in slugs:
        await open_page(server, slug, "")
    process = psutil.Process(server.process.pid)
    limit = process.memory_info().vms + EXPENSIVE.ROOM
    process.rlimit(resource.RLIMIT_AS, (limit, limit))
    rows = []
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(Client(server.address, PAGE)) for _ in range(NEIGHBOURS)
        ]
        for client in clients:
            await visit(client)
        visitors = [Visitor(client) for client in clients]
        busy = [asyncio.create_task(visitor.listen()) for visitor in visitors]
        busy += [
            asyncio.create_task(visitor.move(1e9, i / NEIGHBOURS))
            for i, visitor in enumerate(visitors)
        ]

        async def row(name: str, seconds: float) -> None:
            times = [time for visitor in visitors for time in visitor.milliseconds]
            rows.append(
                {
                    "link": name,
                    "s": seconds,
                    "p50 ms": median(times),
                    "p95 ms": p95(times),
                    "MB": server.rss,
                }
            )
            for visitor in visitors:
                visitor.milliseconds.clear()

        await asyncio.sleep(WARM)
        await row("none", WARM)
        for slug in slugs:
            for method, values in EXPENSIVE.settings(slug):
                query = urlencode(EXPENSIVE.link(slug, method, values))
                await row(f"{slug}, {method}", await open_page(server, slug, query))
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
    return rows


def main(slugs: tuple[str, ...] = tuple(CATALOGUE)) -> list[dict[str, Any]]:
    """Measure every page's most expensive link."""
    with Server(ROOT / "server.py") as server:
        rows = asyncio.run(with_neighbours(server, list(slugs)))
        assert "MemoryError" not in server.log, server.log
        return rows
