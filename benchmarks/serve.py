"""Start what is measured in a process of its own, and read what it costs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import psutil

from tests.browser.running import NotRunningError, free_port, healthy

ROOT = Path(__file__).parents[1]
APPS = Path(__file__).parent / "apps"
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
PATIENCE = 90.0  # seconds until a server must answer


class Server:
    """A Streamlit server on a free port; use it in a ``with`` statement.

    Parameters
    ----------
    script : Path
        What ``streamlit run`` gets.
    *flags : str
        Its settings.
    plain : bool
        Run it in an empty folder with an empty home, so that Streamlit's own settings hold and not
        those of the app.
    blas : int
        Threads for BLAS; only what Streamlit itself loads is bound to it if ``server.py`` is the
        script.
    env : mapping of str to str, optional
        Further environment variables.

    Attributes
    ----------
    address : str
        Where it listens.
    seconds : float
        From the start of the process to the first healthy answer.
    """

    def __init__(
        self,
        script: Path,
        *flags: str,
        plain: bool = False,
        blas: int = 1,
        env: Mapping[str, str] | None = None,
    ):
        self.script, self.flags, self.plain, self.blas, self.env = (
            script,
            flags,
            plain,
            blas,
            env or {},
        )

    def __enter__(self) -> Server:
        self._folder = tempfile.TemporaryDirectory(prefix="benchmark-")
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        # No statistics in either: they would send for a foreign host in the middle of a
        # measurement.
        command = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            str(self.script),
            "--server.headless=true",
        ]
        command += [
            f"--server.port={port}",
            "--server.address=127.0.0.1",
            "--browser.serverAddress=localhost",
        ]
        command += ["--browser.gatherUsageStats=false", *self.flags]
        env = (
            os.environ
            | dict.fromkeys(THREADS, str(self.blas))
            | {"PYTHONPATH": str(ROOT)}
            | dict(self.env)
        )
        if self.plain:
            env |= {"HOME": self._folder.name, "USERPROFILE": self._folder.name}
        start = time.perf_counter()
        self.process = psutil.Popen(
            command,
            cwd=self._folder.name if self.plain else ROOT,
            env=env,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        while not healthy(self.address):
            if self.process.poll() is not None or time.perf_counter() - start > PATIENCE:
                log = self.log
                self.__exit__()
                raise NotRunningError(f"{self.script.name} did not start. Its log:\n{log}")
            time.sleep(0.01)
        self.seconds = time.perf_counter() - start
        return self

    def __exit__(self, *_exception: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except psutil.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._log.close()
        self._folder.cleanup()

    @property
    def log(self) -> str:
        """The output of the server."""
        self._log.seek(0)
        return self._log.read()

    @property
    def cpu(self) -> float:
        """Seconds of processor time that it has used."""
        times = self.process.cpu_times()
        return float(times.user + times.system)

    @property
    def rss(self) -> float:
        """Megabytes of memory that it holds."""
        return float(self.process.memory_info().rss) / 1e6
