"""From a key press or a drag to the painted picture of two runs, beside the same page with one."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser

from benchmarks.browser import CONTROL, tab
from benchmarks.interaction import DRAGS, Walker, dragging, first_paints, in_blocks, times, watched
from benchmarks.serve import ROOT, Server
from benchmarks.tables import median, p95
from dashboard.settings import OPENING, PIN, pin_text
from tests.browser.running import chromium

PAGES = ("kmeans", "svm", "decision_tree", "ridge_lasso")
DEFAULTS = {OPENING: ["defaults"]}


def measure_pair(
    browser: Browser, slug: str, address: str, blocks: int, openings: int
) -> dict[str, Any]:
    """Measure a page with a pinned run of its own beside the page alone, in turns."""
    pinned = {**DEFAULTS, PIN: [pin_text(slug, DEFAULTS)]}
    addresses = {
        name: f"{address}/{slug}?{urlencode(link, doseq=True)}"
        for name, link in (("one", DEFAULTS), ("pair", pinned))
    }
    with ExitStack() as stack:
        tabs = {name: stack.enter_context(tab(browser, watched(name))) for name in addresses}
        for name, visitor in tabs.items():
            visitor.open(addresses[name])
        walkers = {name: Walker(visitor, CONTROL) for name, visitor in tabs.items()}
        presses = in_blocks(walkers, blocks)
        turns = [{name: tabs[name].drag(CONTROL) for name in tabs} for _ in range(DRAGS)]
    drags = {name: dragging([turn[name] for turn in turns]) for name in addresses}
    pictures = "pictures a second, dragged"
    one, pair = (times(presses[name]) for name in addresses)
    paints = first_paints(browser, addresses, openings)
    return {
        "page": slug,
        "one ms": median(one),
        "pair ms": median(pair),
        "pair p95 ms": p95(pair),
        "pair / one": median(pair) / median(one),
        **drags["pair"],
        "pictures, pair / one": drags["pair"][pictures] / drags["one"][pictures],
        "first paint of one ms": median(paints["one"]),
        "first pair / one": median(paints["pair"]) / median(paints["one"]),
    }


def main(
    blocks: int = 4, openings: int = 5, pages: tuple[str, ...] = PAGES
) -> dict[str, list[Any]]:
    """Measure pages with a pinned run; return a table."""
    with chromium() as browser, Server(ROOT / "server.py") as app:
        rows = [measure_pair(browser, slug, app.address, blocks, openings) for slug in pages]
    return {"two runs side by side": rows}
