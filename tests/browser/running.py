"""The app on a free port, and a Chromium to open it: for browser tests and photographs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

from dev import THREADS, find_browser

ROOT = Path(__file__).parents[2]
PATIENCE = 300  # seconds until the server must be up
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Tabs of one context share what V8 has compiled of Streamlit and plotly: it keeps that per
    # process.
    "--process-per-site",
)


class NotRunningError(Exception):
    """A sentence on what is missing and what to do."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def healthy(address: str) -> bool:
    try:
        with urlopen(f"{address}/_stcore/health", timeout=5) as answer:
            # Unknown paths answer 200 too: only the body tells.
            return bool(answer.read() == b"ok")
    except OSError:
        return False


class Server:
    """The app in a process of its own, with such variables; use it in a ``with`` statement."""

    def __init__(self, *flags: str, port: int | None = None, **variables: str):
        self.flags, self.port, self.variables = flags, port, variables

    def __enter__(self) -> Server:
        self.port = self.port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        command = [sys.executable, "-m", "streamlit", "run", "server.py", "--server.headless=true"]
        command += [f"--server.port={self.port}", "--server.address=127.0.0.1", *self.flags]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | THREADS | self.variables,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + PATIENCE
        while not healthy(self.address):
            if self.process.poll() is not None or time.monotonic() > deadline:
                log = self.log
                self.__exit__()
                raise NotRunningError(f"The app did not start. Its log:\n{log}")
            time.sleep(0.1)
        return self

    def __exit__(self, *_exception: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._log.close()

    @property
    def log(self) -> str:
        self._log.seek(0)
        return self._log.read()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser that DMLIB_CHROMIUM names, or one that is found on this machine."""
    path = find_browser()
    if path is None:
        raise NotRunningError(
            "No Chromium or Chrome was found. Install one, set DMLIB_CHROMIUM to its path, or let "
            "`python3 dev.py test` install it; `-m 'not browser'` leaves the browser tests out."
        )
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
