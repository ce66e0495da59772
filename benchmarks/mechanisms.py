"""Each mechanism for speed left out once, with all others on: key presses, drags and openings.

One server for each, and all of them and the bare app take turns in blocks, so that they meet the
same noise. What spares the server work is measured in processor time, which noise changes little.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, ExitStack
from typing import Any

from playwright.sync_api import Browser

from benchmarks.browser import CONTROL, SLIDER, tab
from benchmarks.client import Client, ask
from benchmarks.interaction import Walker, first_paints, in_blocks, times, watched
from benchmarks.load import SLIDER as MOVED
from benchmarks.load import settle, visit, walk
from benchmarks.serve import APPS, ROOT, Server
from benchmarks.tables import median, p95, table
from tests.browser.running import chromium
from ui.switches import VARIABLE

PAGES = ("kmeans", "svm", "ensembles", "pca")
SWITCHES = ("live", "prefetch", "nodelay", "first_page")
VARIANTS = ("memory", "drafts", "openings", "late lessons", "collector")
OF_THE_LOOP = ("turns", "rests")
NOTHING = "nothing"
BLOCKS, DRAGS, OPENINGS = 1, 1, 1
ROUNDS, QUESTIONS = 8, 40


def without(name: str) -> Server:
    """Return a server of the app without one mechanism."""
    if name in (*VARIANTS, "rests"):
        flags = ["--runner.postScriptGC=true"] if name == "collector" else []
        return Server(APPS / "without.py", *flags, env={"BENCHMARK_VARIANT": name})
    return Server(ROOT / "server.py", env={VARIABLE: "" if name == NOTHING else name})


def measure_page(browser: Browser, slug: str, servers: dict[str, str]) -> list[dict[str, Any]]:
    """Measure a page on all servers in turns."""
    addresses = {
        name: address if name == "bare" else f"{address}/{slug}"
        for name, address in servers.items()
    }
    with ExitStack() as stack:
        tabs = {name: stack.enter_context(tab(browser, watched(name))) for name in addresses}
        for name, visitor in tabs.items():
            visitor.open(addresses[name])
        walkers = {
            name: Walker(visitor, SLIDER if name == "bare" else CONTROL)
            for name, visitor in tabs.items()
        }
        presses = in_blocks(walkers, BLOCKS)
        drags = dragged({name: visitor for name, visitor in tabs.items() if name != "bare"})
    openings = first_paints(browser, addresses, OPENINGS)
    bare, bare_opening = median(times(presses["bare"])), median(openings["bare"])
    return [
        {
            "page": slug,
            "without": name,
            "median / bare": median(times(presses[name])) / bare,
            "p95 ms": p95(times(presses[name])),
            "pictures": median([drag["pictures"] for drag in each]),
            "of values": median([drag["values"] for drag in each]),
            "last ms": median([drag["caught"] - drag["moved"] for drag in each if drag["caught"]]),
            "first / bare": median(openings[name]) / bare_opening,
            "bare ms": bare,
        }
        for name, each in drags.items()
    ]


def dragged(tabs: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Drag the control of each tab in turns."""
    drags: dict[str, list[dict[str, Any]]] = {name: [] for name in tabs}
    for _ in range(DRAGS):
        for name, visitor in tabs.items():
            visitor.page.bring_to_front()
            drags[name].append(visitor.drag(CONTROL))
    return drags


def interaction() -> list[dict[str, Any]]:
    """Measure all pages, with one mechanism less each time."""
    with ExitStack() as stack:
        browser = stack.enter_context(chromium())
        servers = {
            name: stack.enter_context(without(name)).address
            for name in (NOTHING, *SWITCHES, *VARIANTS)
        }
        servers["bare"] = stack.enter_context(Server(APPS / "bare.py", plain=True)).address
        rows = []
        for slug in PAGES:
            rows += measure_page(browser, slug, servers)
            print(table(rows[-len(servers) + 1 :]), flush=True)  # an early end costs only the rest
        return rows


async def answers() -> list[dict[str, Any]]:
    """Ask servers with one mechanism less in turns; return the processor time of an answer."""
    milliseconds: dict[str, list[float]] = {}
    async with AsyncExitStack() as stack:
        visitors = {}
        for name in (NOTHING, *OF_THE_LOOP):
            server = stack.enter_context(without(name))
            await settle(server)
            client = await stack.enter_async_context(Client(server.address, PAGES[0]))
            await visit(client)
            visitors[name] = server, client, walk(3)
        for _ in range(ROUNDS):
            for name, (server, client, values) in visitors.items():
                before = server.cpu
                for _ in range(QUESTIONS):
                    await ask(client, **{MOVED: float(next(values))})
                of_answer = 1000 * (server.cpu - before) / QUESTIONS
                milliseconds.setdefault(name, []).append(of_answer)
    return [
        {
            "without": name,
            "CPU ms / answer": median(each),
            "more than with all": median(
                [ms - whole for ms, whole in zip(each, milliseconds[NOTHING], strict=True)]
            ),
        }
        for name, each in milliseconds.items()
    ]


def main() -> dict[str, list[dict[str, Any]]]:
    """Return a table of pages and one of the server's work."""
    return {"answers": asyncio.run(answers()), "pages": interaction()}
