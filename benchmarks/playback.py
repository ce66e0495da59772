"""Playing, scrubbing and stepping: what the browser does alone once the scene is there."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser

from benchmarks.browser import STAGE, Tab, tab
from benchmarks.serve import APPS, ROOT, Server
from benchmarks.tables import median, p95
from tests.browser.running import chromium

SECONDS = 1.5  # 100 steps at 60 a second last a little longer
KEYS = 30
GLIDE = 350  # milliseconds; the marks have arrived by then


def playing(page: Tab) -> dict[str, float]:
    """Play at 60 steps a second; return the gaps of frames and the load of the main thread."""
    page.page.get_by_label("Speed in steps per second").select_option("60")
    page.page.get_by_label("Loop", exact=True).click()
    page.page.get_by_label("Play (space)").click()
    page.page.wait_for_timeout(300)
    busy = page.busy
    gaps = page.page.evaluate(f"bench.gaps({1000 * SECONDS})")
    busy = page.busy - busy
    page.page.get_by_label("Pause (space)").click()
    return {
        "play gap p95 ms": p95(gaps),
        "play fps": 1000 * len(gaps) / sum(gaps),
        "busy %": 100_000 * busy / sum(gaps),
    }


def scrubbing(page: Tab) -> dict[str, float]:
    """Put the player's slider elsewhere in every frame; return the frame gaps."""
    gaps = page.page.evaluate(f"bench.scrub({1000 * SECONDS})")
    return {"scrub gap p95 ms": p95(gaps)}


def stepping(page: Tab) -> dict[str, float]:
    """Press the arrow keys; return the times to the painted step, and the messages meanwhile."""
    page.focus(STAGE)
    page.page.keyboard.press("Home")
    page.page.wait_for_timeout(1200)  # the stage reports where it rests, once
    page.page.evaluate("bench.arm()")
    times = []
    for i in range(KEYS):
        page.page.evaluate("bench.step()")
        page.page.keyboard.press("ArrowRight" if i % 8 < 4 else "ArrowLeft")
        page.page.wait_for_function("() => bench.stepped !== null", polling=20)
        times.append(page.page.evaluate("bench.stepped - bench.pressed"))
        page.page.wait_for_timeout(GLIDE)
    return {
        "key ms": median(times),
        "key p95 ms": p95(times),
        "messages": page.page.evaluate("bench.messages"),
    }


def measure(browser: Browser, name: str, address: str) -> dict[str, Any]:
    """Measure one page that has a stage."""
    with tab(browser) as page:
        page.open(address)
        frames = int(page.page.locator(STAGE).evaluate("e => e.dataset.frames"))
        kilobytes = page.page.evaluate("bench.largest") / 1000
        page.page.wait_for_timeout(500)
        idle = p95(page.page.evaluate("bench.gaps(1000)"))
        row = {"scene": name, "frames": frames, "kB": kilobytes, "idle gap p95 ms": idle}
        return row | playing(page) | scrubbing(page) | stepping(page)


def main() -> list[dict[str, Any]]:
    """Measure the large scene and the k-means page; return one row each."""
    with (
        chromium() as browser,
        Server(APPS / "scene.py") as scene,
        Server(ROOT / "server.py") as app,
    ):
        return [
            measure(browser, "500 points x 100 steps", scene.address),
            measure(browser, "k-means page", f"{app.address}/kmeans"),
        ]
