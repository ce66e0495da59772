"""First pictures of the static edition beside those of the warm server, in turns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from playwright.sync_api import Browser

from benchmarks.browser import tab
from benchmarks.serve import ROOT, Server
from benchmarks.tables import median
from edition.build import build
from tests.browser.running import chromium

SLUGS = "data_overview", "kmeans", "lda_projection"
N_OPENINGS = 9


def first_pictures(browser: Browser, addresses: Mapping[str, str]) -> dict[str, list[float]]:
    """Open each address in turns, as new visitors; return the milliseconds to its first picture."""
    times: dict[str, list[float]] = {name: [] for name in addresses}
    for _ in range(1 + N_OPENINGS):
        for name, address in addresses.items():
            with tab(browser) as visit:
                visit.page.goto(address, wait_until="commit")
                visit.page.wait_for_function("() => window.bench?.first", polling=20)
                times[name].append(float(visit.page.evaluate("bench.first")))
    return {name: each[1:] for name, each in times.items()}  # the first warms the server


def main() -> list[dict[str, Any]]:
    """Measure pages of an edition that is opened from its folder; return one row each."""
    with TemporaryDirectory() as folder:
        build(Path(folder), SLUGS, "", lambda _: None)
        with chromium() as browser, Server(ROOT / "server.py") as app:
            rows = []
            for slug in SLUGS:
                file = (Path(folder) / f"{slug}.html").as_uri()
                addresses = {"static": file, "server": f"{app.address}/{slug}"}
                times = first_pictures(browser, addresses)
                ratios = np.divide(times["static"], times["server"])
                rows.append(
                    {
                        "page": slug,
                        "static ms": median(times["static"]),
                        "server ms": median(times["server"]),
                        "static / server": median(ratios.tolist()),
                        "ratios": f"{ratios.min():.2f} to {ratios.max():.2f}",
                    }
                )
            return rows
