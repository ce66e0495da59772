"""From a key press or a drag to the painted picture, for every page, beside the bare app.

The clock runs inside the page (``clock.js``). The slider walks up and down its range, so that
nearly every answer is computed and drawn anew; moving between two values would be answered from
caches. Where a page opens without a slider, its first choice or checkbox is pressed, and nothing is
dragged. A page, the bare app and the null app take turns in blocks, so that all three meet the same
noise.
"""

from __future__ import annotations

from contextlib import ExitStack
from itertools import chain
from typing import Any

from playwright.sync_api import Browser, Error

from benchmarks.browser import CONTROL, PANEL, SLIDER, STAGE, TEXT, Tab, tab
from benchmarks.serve import APPS, ROOT, Server
from benchmarks.tables import median, p95
from dashboard.catalogue import CATALOGUE
from tests.browser.running import chromium

BLOCK = 5  # presses before the next one has its turn
WARM_UP = 1  # blocks that do not count
DRAGS = 3
COSTS = (
    "finished ms",
    "main thread ms",
    "bare main ms",
    "kB",
    "most kB",
    "messages",
    "repaints",
    "shift",
)
CHOICES = ":is(select, input[type=radio]:checked, input[type=checkbox])"
PLACE = """input => {
  if (input.type === 'range') return [input.min, input.value, input.max].map(Number);
  if (input.type === 'checkbox') return [0, 0, 0];
  const all = input.options ?? input.closest('fieldset').querySelectorAll('input');
  return [0, [...all].findIndex((one) => one.selected || one.checked), all.length - 1];
}"""  # lowest, now and highest; nothing lies between on and off
SETTLED = ("--runner.postScriptGC=false", "--runner.fastReruns=false")


class Walker:
    """Moves a slider or a choice up and down its range, or a checkbox, by one key press a time."""

    def __init__(self, tab: Tab, selector: str):
        self.tab, self.selector, self.key = tab, selector, "ArrowRight"

    def step(self) -> dict[str, Any]:
        """Press once and return what the clock has seen."""
        low, value, high = self.tab.page.locator(self.selector).first.evaluate(PLACE)
        if low == high:
            return self.tab.press("Space")
        if value >= high:
            self.key = "ArrowLeft"
        elif value <= low:
            self.key = "ArrowRight"
        return self.tab.press(self.key)

    def block(self) -> list[dict[str, Any]]:
        """Take the focus and walk one block."""
        self.tab.page.bring_to_front()
        self.tab.focus(self.selector)
        before = self.tab.busy
        presses = [self.step() for _ in range(BLOCK)]
        # Shared out: a single press is too short for a sure figure.
        return [press | {"main": 1000 * (self.tab.busy - before) / BLOCK} for press in presses]


def times(presses: list[dict[str, Any]], until: str = "painted") -> list[float]:
    """Return the milliseconds from the key to a moment, of the presses that changed something."""
    return [press[until] - press["pressed"] for press in presses if press["painted"] is not None]


def watched(name: str) -> str:
    """Return what is watched in a page or in one of the references."""
    return TEXT if name in ("bare", "null") else STAGE


def first_paints(
    browser: Browser, addresses: dict[str, str], rounds: int
) -> dict[str, list[float]]:
    """Open every address in turns with an empty cache; return milliseconds to the first paint."""
    milliseconds: dict[str, list[float]] = {name: [] for name in addresses}
    for _ in range(rounds):
        for name, address in addresses.items():
            with tab(browser, watched(name)) as visitor:
                milliseconds[name].append(visitor.open(address))
    return milliseconds


def in_blocks(walkers: dict[str, Walker], blocks: int) -> dict[str, list[dict[str, Any]]]:
    """Let several walkers take turns; return their presses without the warm-up."""
    turns = [
        {name: walker.block() for name, walker in walkers.items()} for _ in range(WARM_UP + blocks)
    ]
    return {name: list(chain(*(turn[name] for turn in turns[WARM_UP:]))) for name in walkers}


def drive(
    tabs: dict[str, Tab], slug: str, blocks: int
) -> tuple[dict[str, list[dict[str, Any]]], list[dict[str, Any]], str | None]:
    """Press and drag on a page and on the references; return presses, drags and the control."""
    has_slider = tabs[slug].page.locator(CONTROL).count() > 0
    control = CONTROL if has_slider else f"{PANEL} {CHOICES}"
    selectors = dict.fromkeys(tabs, SLIDER) | {slug: control}
    walkers = {name: Walker(visitor, selectors[name]) for name, visitor in tabs.items()}
    presses = in_blocks(walkers, blocks)
    drags = [tabs[slug].drag(control) for _ in range(DRAGS if has_slider else 0)]
    return presses, drags, tabs[slug].page.locator(control).first.get_attribute("name")


def latencies(presses: dict[str, list[dict[str, Any]]], slug: str) -> dict[str, Any]:
    """Return times from key to paint of a page, of the bare app, and their ratios."""
    page, bare, null = (times(presses[name]) for name in (slug, "bare", "null"))
    return {
        "n": len(page),
        "median ms": median(page),
        "p95 ms": p95(page),
        "bare ms": median(bare),
        "bare p95 ms": p95(bare),
        "null ms": median(null),
        "median / bare": median(page) / median(bare),
        "p95 / bare p95": p95(page) / p95(bare),
    }


def dragging(drags: list[dict[str, Any]]) -> dict[str, Any]:
    """Return pictures and values a second while a control is dragged, and the delay at its end."""
    delays = [drag["caught"] - drag["moved"] for drag in drags if drag["caught"]]
    return {
        "pictures a second, dragged": median([drag["pictures"] for drag in drags]),
        "values a second, dragged": median([drag["values"] for drag in drags]),
        "last value ms": median(delays),
    }


def update_costs(
    presses: list[dict[str, Any]], bare_presses: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the costs of an update in time, bytes, messages and repaints."""
    kilobytes = [press["bytes"] / 1000 for press in presses]
    return {
        "finished ms": median(times(presses, "finished")),
        "main thread ms": median([press["main"] for press in presses]),
        "bare main ms": median([press["main"] for press in bare_presses]),
        "kB": median(kilobytes),
        "most kB": max(kilobytes),
        "messages": median([press["messages"] for press in presses]),
        "repaints": max(press["repaints"] for press in presses),
        "shift": max(press["shift"] for press in presses),
    }


def measure_page(
    browser: Browser, slug: str, addresses: dict[str, str], blocks: int, openings: int
) -> dict[str, Any]:
    """Measure one page beside the references."""
    with ExitStack() as stack:
        tabs = {name: stack.enter_context(tab(browser, watched(name))) for name in addresses}
        for name, visitor in tabs.items():
            visitor.open(addresses[name])
        presses, drags, control = drive(tabs, slug, blocks)
    openings_ms = first_paints(browser, addresses, openings)
    page_ms, bare_ms = median(openings_ms[slug]), median(openings_ms["bare"])
    return {
        "page": slug,
        "control": control,
        **latencies(presses, slug),
        **dragging(drags),
        **update_costs(presses[slug], presses["bare"]),
        "first paint ms": page_ms,
        "bare first ms": bare_ms,
        "first / bare": page_ms / bare_ms,
    }


def main(
    blocks: int = 6, openings: int = 5, pages: tuple[str, ...] = tuple(CATALOGUE)
) -> dict[str, list[Any]]:
    """Measure every page of the catalogue; return a table of times and one of costs."""
    rows = []
    with (
        chromium() as browser,
        Server(APPS / "bare.py", plain=True) as bare,
        Server(APPS / "null.py", *SETTLED, plain=True) as null,
        Server(ROOT / "server.py") as app,
    ):
        for slug in pages:
            addresses = {"bare": bare.address, "null": null.address, slug: f"{app.address}/{slug}"}
            try:
                rows.append(measure_page(browser, slug, addresses, blocks, openings))
            except Error as error:
                # One page that does not answer must not hide the others.
                rows.append({"page": slug, "note": error.message.splitlines()[0]})
    costs = [
        {"page": row["page"]} | {name: row[name] for name in COSTS if name in row} for row in rows
    ]
    rows = [{name: value for name, value in row.items() if name not in COSTS} for row in rows]
    return {"key press to paint": rows, "cost of an update": costs}
