"""Reading a file in a process of its own: its time and memory are bounded, and it can be ended.

A reader that runs in the server's own process holds the interpreter's lock in every long call, such
as one of a regular expression: all visitors wait, and nobody can stop it. Here one process has
imported the readers, and makes a copy of itself for each file (`program`), which takes 10 ms. It is
no `multiprocessing` context: those run the main module again in each process, and under Streamlit
the main module is the page that is shown.

Where the system cannot fork (Windows), each file gets a fresh process, which takes a second to
start, and has no bound of memory.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from subprocess import DEVNULL, PIPE
from typing import IO, Any

from dmlib.datasets.reading.options import Limits
from dmlib.datasets.reading.program import Request, send
from dmlib.datasets.table import TableError

SECONDS = 60
"""Seconds of computing that a file may take."""
MEMORY = 4 * 2**30
"""Bytes of memory that reading it may take."""
CAN_FORK = hasattr(os, "fork")
_LONG = 3600.0  # seconds
_SLOTS = threading.BoundedSemaphore(os.cpu_count() or 1)
Messages = queue.SimpleQueue[tuple[str, Any]]


class Reading:
    """A file that is being read.

    Parameters
    ----------
    reader : str
        The function of `dmlib.datasets` that reads it, such as "read_table".
    data : bytes
        The content of the file.
    name : str
        The name under which it was sent.
    arguments : dict, optional
        Further arguments of the reader.
    seconds, memory : int
        Seconds of computing, and bytes of memory, after which it is ended.

    Attributes
    ----------
    progress : str
        How far it is, in words; empty before the first report.

    Notes
    -----
    As many files are read at a time as the machine has processors; others wait. Reading ends with
    this object, with
    :meth:`end`, and with the process that asked for it.

    Examples
    --------
    >>> Reading("read_strings", b"GATTACA", "dna.txt").result().texts
    ('GATTACA',)
    """

    def __init__(
        self,
        reader: str,
        data: bytes,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        seconds: int = SECONDS,
        memory: int = MEMORY,
    ) -> None:
        self.progress = ""
        self._messages: Messages = queue.SimpleQueue()
        self._outcome: tuple[str, Any] | None = None
        worker = _Worker()
        self._end = weakref.finalize(self, worker.end)
        limits = Limits()
        if len(data) > limits.n_bytes:
            text = (
                f"The file is larger than {limits.n_bytes >> 20} MB, the limit. Take a part of it."
            )
            self._outcome = "error", TableError("too_large", text)
            return
        request = Request(reader, data, name, arguments or {}, seconds, memory)
        # The thread knows no more than it needs, so that this object can go while it works.
        threading.Thread(
            target=_follow, args=(worker, request, self._messages), daemon=True
        ).start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so many seconds; return whether it has come."""
        end = time.monotonic() + seconds
        while self._outcome is None:
            try:
                kind, value = self._messages.get(timeout=max(end - time.monotonic(), 0.0))
            except queue.Empty:
                return False
            if kind == "progress":
                self.progress = value
            else:
                self._outcome = kind, value
        return True

    def result(self) -> Any:
        """Wait for the end and return what was read.

        Raises
        ------
        TableError
            If the file cannot be read, or takes more time or memory than it may.
        ValueError
            If an argument of the reader is wrong.
        """
        while not self.wait(_LONG):
            pass
        assert self._outcome is not None
        kind, value = self._outcome
        if kind == "error":
            raise value
        return value

    def end(self) -> None:
        """End the process, whatever it does."""
        self._end()


class _Worker:
    """The process that reads a file."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = 0
        self._is_wanted = True

    def start(self) -> tuple[IO[bytes], IO[bytes]]:
        """Start it; return the streams from it and to it."""
        streams: tuple[IO[bytes], IO[bytes]]
        if CAN_FORK:
            connection = FORK_SERVER.connect()
            streams = connection.makefile("rb"), connection.makefile("wb")
            connection.close()  # the streams hold it open
        else:
            self._process = _start_program(stdin=PIPE, stdout=PIPE)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            streams = self._process.stdout, self._process.stdin
        pid = pickle.load(streams[0])
        with self._lock:
            self._pid = pid if self._is_wanted else 0
        if not self._is_wanted:
            self._kill(pid)
        return streams

    def end(self) -> None:
        """Kill it, with all that it has started."""
        with self._lock:
            self._is_wanted = False
            pid, self._pid = self._pid, 0
        if pid:
            self._kill(pid)

    def _kill(self, pid: int) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)


def _follow(worker: _Worker, request: Request, messages: Messages) -> None:
    """Hand a request to its process, and what that says to whoever waits."""
    with _SLOTS:
        try:
            reader, writer = worker.start()
            with reader, writer:
                send(writer, request)
                kind = "progress"
                while kind == "progress":
                    kind, value = pickle.load(reader)
                    messages.put((kind, value))
        except (EOFError, OSError):
            text = (
                f"Reading the file takes more than {request.seconds} seconds or"
                f" {request.memory >> 20:,} MB of memory, or it is damaged. Take a part of it, or"
                " save it again as CSV."
            )
            messages.put(("error", TableError("too_large", text)))
        except Exception as error:  # whoever waits must hear of it
            messages.put(("error", error))
        finally:
            worker.end()


class _ForkServer:
    """The process that has imported the readers and forks for each file."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> socket.socket:
        """Start it, unless it runs; return the way to it."""
        with self._lock:
            if (
                self._control is not None
                and self._process is not None
                and self._process.poll() is not None
            ):
                self._control.close()
                self._control = None
            if self._control is None:
                self._control, beyond = socket.socketpair()
                with beyond:
                    number = beyond.fileno()
                    self._process = _start_program(str(number), stdin=DEVNULL, pass_fds=(number,))
            return self._control

    def connect(self) -> socket.socket:
        """Return the way to a new copy of it."""
        control = self.start()
        own_end, beyond = socket.socketpair()
        with beyond:
            socket.send_fds(control, [b"+"], [beyond.fileno()])
        return own_end

    def end(self) -> None:
        """End it and its copies, and wait until it has."""
        with self._lock:
            if self._control is not None and self._process is not None:
                self._control.close()
                self._process.wait()
            self._control = self._process = None


def _start_program(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    # Not by -m: a request has to be of the same class on both sides, and none of __main__.
    program = "import sys; from dmlib.datasets.reading.program import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", program, *arguments]
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, start_new_session=True, **options
    )


FORK_SERVER = _ForkServer()
"""One for this process; it starts when the first file comes, or when somebody calls ``start``."""
atexit.register(FORK_SERVER.end)
