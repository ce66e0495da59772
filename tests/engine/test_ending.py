"""Worker processes end with the server, whether it is asked to end or killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from dmlib.engine.places import WORKERS
from tests.browser.running import free_port, healthy

ROOT = Path(__file__).parents[2]
PATIENCE = 120  # seconds until a test that hangs is given up


def until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.05)


@pytest.fixture
def started(tmp_path):
    """A server with the kinds of workers that this machine can have, all of them at work."""
    port, folder = free_port(), tmp_path / "work"
    command = [sys.executable, "-m", "tests.engine.ending", str(port), str(folder)]
    log = (tmp_path / "log").open("w")
    process = psutil.Popen(
        command, cwd=ROOT, env={**os.environ, WORKERS: "2"}, stdout=log, stderr=subprocess.STDOUT
    )
    until(lambda: healthy(f"http://127.0.0.1:{port}"))
    for kind in ("processes", "cluster"):
        if kind == "cluster":
            pytest.importorskip("distributed")
        urlopen(f"http://127.0.0.1:{port}/_begin/{kind}").close()
        until(lambda kind=kind: len(list(folder.glob(f"{kind}/*"))) >= 2)
    yield process
    if process.is_running():
        process.kill()
    log.close()


@pytest.mark.skipif(os.name != "posix", reason="Windows does not show that a parent has ended.")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_no_process_outlives_the_server(started, name):
    children = started.children(recursive=True)
    commands = " ".join(part for child in children for part in child.cmdline())
    assert "loky" in commands
    assert "multiprocessing" in commands
    started.send_signal(getattr(signal, name))
    started.wait(PATIENCE)
    _, alive = psutil.wait_procs(children, PATIENCE)
    for process in alive:
        process.kill()
    assert alive == []
