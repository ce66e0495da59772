"""A GIF of 100 steps: written by a page in the browser, and by ``Playback.to_gif``."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from benchmarks.tables import Row
from dmlib import play
from dmlib.clustering import DBSCAN
from dmlib.datasets import load
from dmlib.playback import Playback
from tests.browser.running import chromium

FRAMES = 100
LIMIT = 10.0  # seconds that they may take


def example() -> Playback:
    """Return a run of more than 100 steps on 150 rows."""
    table: Any = load("iris")
    return play(DBSCAN(0.4, min_samples=5), table.frame[["petal_length", "petal_width"]])


def by_page(browser: Browser, playback: Playback) -> tuple[float, int]:
    """Return the seconds from *Save* to the file, and its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.html"
        playback.save(path)
        context = browser.new_context(accept_downloads=True)
        page = context.new_page()
        page.goto(path.as_uri())
        page.get_by_text("Save picture").click()
        page.get_by_role("button", name="Moving: GIF or WebM").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("To step").fill(str(FRAMES - 1))
        start = time.perf_counter()
        with page.expect_download(timeout=300_000) as download:
            dialog.get_by_role("button", name="Save").click()
        size = Path(download.value.path()).stat().st_size
        seconds = time.perf_counter() - start
        context.close()
        return seconds, size


def by_python(playback: Playback) -> tuple[float, int]:
    """Return the seconds of ``to_gif``, and the bytes of the file."""
    start = time.perf_counter()
    content = playback.to_gif(frames=range(FRAMES))
    return time.perf_counter() - start, len(content)


def row(writer: str, seconds: float, size: int) -> dict[str, Any]:
    """Return a row of the table: at most 1 of the limit is wanted."""
    return {
        "writer": writer,
        "frames": FRAMES,
        "kB": size / 1000,
        "s": seconds,
        "of the limit": seconds / LIMIT,
    }


def main() -> list[Row]:
    """Return one row for each writer."""
    playback = example()
    with chromium() as browser:
        rows = [row("page", *by_page(browser, playback))]
    return [*rows, row("to_gif", *by_python(playback))]
