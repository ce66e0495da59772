"""Memory after closed tabs: thirty visitors bring a file of 20 MB each and leave.

The same without the timer that ends expired sessions, as Streamlit does it by itself, is measured
with ``app.py``.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

import numpy as np
import requests

from benchmarks.client import Client
from benchmarks.load import settle
from benchmarks.serve import ROOT, Server

VISITORS = 30
MEGABYTES = 20
WAIT = 150  # seconds after the last one has closed
BACK = 50  # megabytes above where it was
INTERVAL = 5.0


def table(megabytes: int) -> bytes:
    """Return a CSV file of about this size, of numbers in five columns."""
    block = "\n".join(
        ",".join(row) for row in np.random.default_rng(0).normal(size=(20_000, 5)).astype("U8")
    )
    return ("a,b,c,d,e\n" + (block + "\n") * (megabytes * 1_000_000 // len(block))).encode()


async def bring(server: Server, data: bytes) -> None:
    """Open a page, send a file, wait until it was read and run, and close the tab."""
    async with Client(server.address, "kmeans") as client:
        client.query = "source=upload"
        await client.rerun()
        await client.answer()
        file_id = str(uuid.uuid4())
        address = f"{server.address}/_stcore/upload_file/{client.session}/{file_id}"
        sent = await asyncio.to_thread(
            requests.put, address, files={"file": ("data.csv", data, "text/csv")}, timeout=60
        )
        sent.raise_for_status()
        client.file = (file_id, "data.csv")
        await client.rerun()
        await client.answer()


async def measure(server: Server, visitors: int, megabytes: int, wait: float) -> dict[str, Any]:
    """Let visitors come and go; return the memory before, when the last leaves, and afterwards."""
    data = table(megabytes)
    await settle(server)
    await bring(server, data[: 1_000_000 - 1_000_000 % 45])  # what reading imports is no visitor's
    before = server.rss
    for _ in range(visitors):
        await bring(server, data)
    full, start, back = server.rss, time.monotonic(), float("nan")
    while (passed := time.monotonic() - start) < wait:
        await asyncio.sleep(INTERVAL)
        if np.isnan(back) and server.rss < before + BACK:
            back = passed + INTERVAL
    return {
        "visitors": visitors,
        "MB each": megabytes,
        "before MB": before,
        "last closed MB": full,
        f"after {wait:g} s MB": server.rss,
        f"within {BACK} MB after s": back,
    }


def main(
    visitors: int = VISITORS, megabytes: int = MEGABYTES, wait: float = WAIT
) -> list[dict[str, Any]]:
    """Measure with the server's timer, and without."""
    rows = []
    for script in ("server.py", "app.py"):
        with Server(ROOT / script, "--server.enableXsrfProtection=false") as server:
            rows.append(
                {"script": script} | asyncio.run(measure(server, visitors, megabytes, wait))
            )
    return rows
