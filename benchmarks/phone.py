"""The page of a phone in a class: what it loads, when it has its picture, how soon it follows.

A teacher's page and a phone's are open in one Chromium; the phone has a slow processor and a slow
network, as Chromium emulates them. Each visit is a stranger's: nothing is in its cache. The picture
is there when the stage has drawn a frame and the browser has had two occasions to paint it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession

from benchmarks.serve import ROOT, Server
from benchmarks.tables import median, p95
from tests.browser.classes import PHONE, Phone, Teacher
from tests.browser.running import chromium
from tests.browser.stage import Stage

PAGES = ("kmeans", "decision_tree", "roc")
VISITS = 7
STEPS = 8
THROTTLES = {"not slowed": None, "4x CPU, 1.6 Mbit/s, 150 ms": (4, 200_000, 150)}
"""Factor of the processor, bytes a second, milliseconds of a round trip."""
WATCH = """() => {
  window.painted = {};
  const note = ({ target }) => {
    const { frame } = target.dataset;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.painted[frame] ??= performance.timeOrigin + performance.now();
    }));
  };
  const options = { subtree: true, attributes: true, attributeFilter: ['data-frame'] };
  new MutationObserver((changes) => changes.forEach(note)).observe(document, options);
}"""
PRESSED = """() => {
  document.addEventListener('keydown', () => {
    window.pressed = performance.timeOrigin + performance.now();
  }, { capture: true });
}"""


def slow(
    context: BrowserContext, phone: Phone, throttle: tuple[int, int, int] | None
) -> CDPSession:
    """Give a phone its processor and network, and count the bytes that it loads."""
    session = context.new_cdp_session(phone.page)
    session.send("Network.enable")
    if throttle:
        rate, throughput, latency = throttle
        session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        conditions = {"downloadThroughput": throughput, "uploadThroughput": throughput // 2}
        session.send(
            "Network.emulateNetworkConditions", conditions | {"offline": False, "latency": latency}
        )
    return session


def visit(browser: Browser, teacher: Teacher, throttle: Any) -> dict[str, list[float]]:
    """Let a phone join, and the teacher make steps; return bytes and milliseconds."""
    context = browser.new_context(**PHONE)
    phone = Phone(context, teacher.stage.address)
    sizes: list[float] = []
    session = slow(context, phone, throttle)
    session.on("Network.dataReceived", lambda event: sizes.append(event["encodedDataLength"]))
    phone.page.add_init_script(f"({WATCH})()")
    frame = teacher.stage.frame
    phone.join(teacher.code)
    phone.page.wait_for_function("frame => window.painted[frame]", arg=frame)
    n_bytes = sum(sizes)
    first = phone.page.evaluate(
        "frame => window.painted[frame] - performance.timeOrigin", arg=frame
    )
    delays = [follow(teacher, phone) for _ in range(STEPS)]
    context.close()
    return {"kB": [n_bytes / 1000], "first": [first], "delays": delays}


def follow(teacher: Teacher, phone: Phone) -> float:
    """Make a step; return the milliseconds until the phone has painted it."""
    key = "ArrowRight" if teacher.stage.frame + 1 < teacher.stage.frames else "Home"
    phone.page.evaluate("() => { window.painted = {}; }")
    teacher.stage.press(key)
    arrived = phone.page.wait_for_function(
        "frame => window.painted[frame]", arg=teacher.stage.frame
    )
    return float(arrived.json_value()) - float(teacher.page.evaluate("window.pressed"))


def measured(browser: Browser, server: Server, slug: str) -> list[dict[str, Any]]:
    """Measure a page with each kind of phone."""
    context = browser.new_context()
    stage = Stage(context.new_page(), server.address)
    stage.page.add_init_script(f"({PRESSED})()")
    teacher = Teacher(stage.open(slug).press("Home"))
    rows = []
    for name, throttle in THROTTLES.items():
        visits = [visit(browser, teacher, throttle) for _ in range(VISITS)]
        firsts, delays = (
            [each for one in visits for each in one[key]] for key in ("first", "delays")
        )
        rows.append(
            {
                "page": slug,
                "phone": name,
                "kB": max(size for one in visits for size in one["kB"]),
                "first picture p50 ms": median(firsts),
                "at most ms": max(firsts),
                "step p50 ms": median(delays),
                "step p95 ms": p95(delays),
            }
        )
    context.close()
    return rows


def main(pages: Sequence[str] = PAGES) -> list[dict[str, Any]]:
    """Measure pages, each on the same server."""
    with Server(ROOT / "server.py") as server, chromium() as browser:
        return [row for slug in pages for row in measured(browser, server, slug)]
