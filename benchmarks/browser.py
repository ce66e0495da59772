"""A measured page in Chromium: press keys, wait for the picture, read the clock inside the page."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

CLOCK = Path(__file__).with_name("clock.js").read_text("utf-8")
VIEWPORT = {"width": 1366, "height": 768}
QUIET = 150  # milliseconds without a message or a change after which an answer counts as complete
PATIENCE = 30_000
STAGE, TEXT = "[data-testid=stage][data-rev]", "[data-testid=stMarkdown]"
SLIDER = "[data-testid=stSlider] input[type=range]"
PANEL = "[data-testid=controls]"
CONTROL = f"{PANEL} > .dm-slider input[type=range]"
DRAG = 2.0  # seconds
MOVE = 0.016  # seconds between two moves of the mouse


class Tab:
    """A tab with an empty cache; a change of the ``watched`` element ends a measurement."""

    def __init__(self, page: Page, watched: str):
        self.page = page
        page.set_default_timeout(PATIENCE)
        page.add_init_script(f"window.benchWatched = '{watched}';\n{CLOCK}")
        self._cdp = page.context.new_cdp_session(page)
        # Processor time, not time by the clock: what other programs take does not count.
        self._cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

    def open(self, address: str) -> float:
        """Open an address; return the milliseconds to the first paint of what is watched."""
        self.page.goto(address, wait_until="commit")
        self.page.wait_for_function("() => window.bench?.first", polling=20)
        self._settle()
        return float(self.page.evaluate("bench.first"))

    def _settle(self) -> None:
        self.page.wait_for_function(f"() => bench.calm({QUIET})", polling=20)

    def focus(self, selector: str) -> None:
        """Put the keyboard's focus on an element."""
        self.page.locator(selector).first.focus()

    def press(self, key: str) -> dict[str, Any]:
        """Press a key and wait for the answer; return what the page's clock has measured."""
        self.page.evaluate("bench.arm()")
        self.page.keyboard.press(key)
        self._settle()
        return dict(self.page.evaluate("({...bench})"))

    def drag(self, selector: str) -> dict[str, Any]:
        """Drag a slider to and fro; return what the page's clock has measured."""
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None
        mouse, y = self.page.mouse, box["y"] + box["height"] / 2
        mouse.move(box["x"] + 0.1 * box["width"], y)
        mouse.down()
        self._settle()
        self.page.evaluate("bench.arm()")
        start = moment = time.perf_counter()
        while moment - start < DRAG:
            share = 0.1 + 0.8 * abs((moment - start) % DRAG / DRAG * 2 - 1)
            mouse.move(box["x"] + share * box["width"], y)
            time.sleep(MOVE)
            moment = time.perf_counter()
        pictures, values = self.page.evaluate("[bench.repaints, bench.inputs]")
        self._settle()
        mouse.up()
        self._settle()
        measured = dict(self.page.evaluate("({...bench})"))
        return measured | {
            "pictures": pictures / (moment - start),
            "values": values / (moment - start),
        }

    @property
    def busy(self) -> float:
        """Seconds of processor time that the page's main thread has used."""
        metrics = self._cdp.send("Performance.getMetrics")["metrics"]
        return float(
            next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        )


@contextmanager
def tab(browser: Browser, watched: str = STAGE) -> Iterator[Tab]:
    """Open a tab of a new visitor and close it in the end."""
    context = browser.new_context(viewport=VIEWPORT)  # type: ignore[arg-type]
    try:
        yield Tab(context.new_page(), watched)
    finally:
        context.close()
