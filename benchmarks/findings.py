"""The settings of docs/decisions/0003 and 0005, each with and without."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, ExitStack
from typing import Any

from benchmarks.browser import CONTROL, tab
from benchmarks.client import Client, ask, text
from benchmarks.interaction import Walker, in_blocks, times
from benchmarks.load import crowd, settle, visit
from benchmarks.serve import APPS, ROOT, Server
from benchmarks.tables import median, p95
from tests.browser.running import chromium

SLUG = "kmeans"
COLLECT = "--runner.postScriptGC=true"
FAST = "--runner.fastReruns={}"
BURST, SPACING = 20, 0.1  # changes, seconds between them
LARGE, SMALL = {"BENCHMARK_SIZE": "1200"}, {"BENCHMARK_SIZE": "200"}
LIMIT = 40.0  # seconds after which a burst counts as unanswered


def variant(name: str, *flags: str) -> Server:
    """Return a server of the app in which one thing is different."""
    return Server(APPS / "variants.py", *flags, env={"BENCHMARK_VARIANT": name})


def settings(blocks: int = 5) -> list[dict[str, Any]]:
    """Time the k-means page from key press to paint: collector, freeze and Nagle's algorithm."""
    servers = {
        "collected after runs, not frozen (Streamlit's way)": variant("no freeze", COLLECT),
        "collected after runs, frozen": variant("", COLLECT),
        "not collected after runs, not frozen": variant("no freeze"),
        "not collected after runs, frozen": variant(""),
        "the same, messages sent at once": variant("send at once"),
    }
    with ExitStack() as stack:
        browser = stack.enter_context(chromium())
        walkers = {}
        for name, server in servers.items():
            visitor = stack.enter_context(tab(browser))
            visitor.open(f"{stack.enter_context(server).address}/{SLUG}")
            walkers[name] = Walker(visitor, CONTROL)
        presses = in_blocks(walkers, blocks)
    first = median(times(next(iter(presses.values()))))
    return [
        {
            "setting": name,
            "n": len(times(rows)),
            "answered ms": median(times(rows, "answered")),
            "median ms": median(times(rows)),
            "p95 ms": p95(times(rows)),
            "ratio": median(times(rows)) / first,
        }
        for name, rows in presses.items()
    ]


def collector_under_load(sessions: int = 10, seconds: float = 8) -> list[dict[str, Any]]:
    """Let ten visitors make a change a second, with and without the collection after each run."""

    async def load(server: Server) -> dict[str, Any]:
        return await crowd(server, sessions, seconds, await settle(server))

    rows = []
    for name, server in (
        ("Streamlit's way", variant("no freeze", COLLECT)),
        ("as server.py", variant("")),
    ):
        with server:
            rows.append({"collector": name} | asyncio.run(load(server)))
    return rows


def warm_up(rounds: int = 3) -> list[dict[str, Any]]:
    """Start servers with the imports before the health check, and in the first visitor's run."""

    async def first_visit(server: Server) -> float:
        start = asyncio.get_running_loop().time()
        async with Client(server.address, SLUG) as client:
            await visit(client)
        return 1000 * (asyncio.get_running_loop().time() - start)

    scripts = {
        "before the health check (server.py)": "server.py",
        "in the first visitor's run (app.py)": "app.py",
    }
    milliseconds: dict[str, list[tuple[float, ...]]] = {name: [] for name in scripts}
    for _ in range(rounds):
        for name, script in scripts.items():
            with Server(ROOT / script) as server:
                visits = [asyncio.run(first_visit(server)) for _ in range(2)]
                milliseconds[name].append((1000 * server.seconds, *visits))
    head = ("healthy after ms", "first page ms", "second page ms")
    return [
        {"imports": name}
        | {
            title: median(column)
            for title, column in zip(head, zip(*rows, strict=True), strict=True)
        }
        for name, rows in milliseconds.items()
    ]


async def burst(server: Server) -> dict[str, Any]:
    """Move a slider many times during a long computation; wait for the last answer."""
    last = 600 + BURST - 1
    async with Client(server.address) as client:
        await ask(client)
        before = peak = server.rss
        for value in range(600, last + 1):
            await client.rerun(v=float(value))
            await asyncio.sleep(SPACING)
        clock = asyncio.get_running_loop().time
        start, answered = clock(), False
        while not answered and clock() - start < LIMIT:
            peak = max(peak, server.rss)
            try:
                async with asyncio.timeout(0.1):
                    answered = (text(await client.receive()) or "").startswith(f"v={last}:")
            except TimeoutError:
                pass
    return {
        "answered": "yes" if answered else "no",
        "after s": clock() - start,
        "peak MB": peak - before,
    }


def fast_reruns() -> list[dict[str, Any]]:
    """Send a burst of changes to a slow page, with and without fast reruns, by 1 and 2 threads."""
    rows = []
    for threads in (1, 2):
        for fast in ("true", "false"):
            with Server(
                APPS / "svd.py", FAST.format(fast), plain=True, blas=threads, env=LARGE
            ) as server:
                rows.append(
                    {"fastReruns": fast, "BLAS threads": threads} | asyncio.run(burst(server))
                )
    return rows


def blas_threads(sessions: int = 6, seconds: float = 6) -> list[dict[str, Any]]:
    """Let visitors ask again as soon as they are answered: one thread for BLAS against two."""

    async def visitor(client: Client, latencies: list[float]) -> None:
        clock = asyncio.get_running_loop().time
        start, value = clock(), 0
        while clock() - start < seconds:
            value = (value + 1) % 1000
            latencies.append((await ask(client, v=float(value)))[0])

    async def all_of(server: Server) -> list[float]:
        latencies: list[float] = []
        async with AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(Client(server.address)) for _ in range(sessions)
            ]
            for client in clients:
                await ask(client)
            await asyncio.gather(*(visitor(client, latencies) for client in clients))
        return latencies

    rows = []
    for threads in (1, 2):
        flags = (FAST.format("false"), "--runner.postScriptGC=false")
        with Server(APPS / "svd.py", *flags, plain=True, blas=threads, env=SMALL) as server:
            cpu = server.cpu
            latencies = asyncio.run(all_of(server))
            cpu = server.cpu - cpu
        rows.append(
            {"BLAS threads": threads, "sessions": sessions, "answers / s": len(latencies) / seconds}
            | {
                "p50 ms": median(latencies),
                "p95 ms": p95(latencies),
                "CPU ms / answer": 1000 * cpu / len(latencies),
            }
        )
    return rows


def main() -> dict[str, list[dict[str, Any]]]:
    """Return one table for each finding."""
    return {
        "settings, key press to paint": settings(),
        "collector, 10 visitors": collector_under_load(),
        "imports": warm_up(),
        "fast reruns": fast_reruns(),
        "BLAS threads": blas_threads(),
    }
