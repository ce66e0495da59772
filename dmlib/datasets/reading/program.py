"""The program that reads one file in a process of its own; started by `process`, which says why.

With the number of a socket it is a fork server: it makes a copy of itself for each connection that
comes over that socket, and ends with all of them when the socket is closed. Without a number it
serves its standard input and output, and ends.

Over a connection go pickles: first the number of the process, then a `Request` comes, then
``("progress", words)`` as often as there is some, and at last ``("result", value)`` or ``("error",
exception)``.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import sys
import time
import traceback
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa

import dmlib.datasets
from dmlib.datasets.reading.progress import reporting
from dmlib.datasets.table import TableError

INTERVAL = 0.2  # seconds between two reports of progress
NICENESS = 10  # visitors who move a slider go before a file


@dataclass(frozen=True)
class Request:
    """A file and how it is to be read.

    Attributes
    ----------
    reader : str
        The name of a function of `dmlib.datasets`, such as ``read_table``.
    data : bytes
        The content of the file.
    name : str
        The name under which it was sent.
    arguments : dict
        Further arguments of the reader.
    seconds, memory : int
        Seconds of computing, and bytes of memory beside those in use, after which the process ends.
    """

    reader: str
    data: bytes
    name: str
    arguments: dict[str, Any]
    seconds: int
    memory: int


def send(stream: IO[bytes], message: Any) -> None:
    """Write a message, at once."""
    pickle.dump(message, stream, protocol=5)
    stream.flush()


def fork_for_each(control: socket.socket) -> None:
    """Fork for each connection that comes over a socket; end with all copies when it is closed."""
    dmlib.datasets.read_table(
        b"a,b\n1,2\n", "first.csv"
    )  # what is imported now need not be for each file
    children: set[int] = set()
    while True:
        message, numbers, *_ = socket.recv_fds(control, 1, 1)
        children -= _ended(children)
        if not message:
            break
        with socket.socket(fileno=numbers[0]) as connection:
            pid = os.fork()
            if pid == 0:
                control.close()
                os.setpgid(0, 0)  # what it starts is killed with it
                serve(connection.makefile("rb"), connection.makefile("wb"))
                os._exit(0)
            children.add(pid)
    for child in children:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)


def _ended(children: set[int]) -> set[int]:
    """Return the children that have ended; the system forgets them."""
    return {child for child in children if os.waitpid(child, os.WNOHANG)[0]}


def serve(reader: IO[bytes], writer: IO[bytes]) -> None:
    """Read the file of one request. Whoever asked may have gone: then nobody is written to."""
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        send(writer, os.getpid())
        send(writer, _answer(pickle.load(reader), writer))


def _answer(request: Request, writer: IO[bytes]) -> tuple[str, Any]:
    reported = time.monotonic()

    def report(stage: str) -> None:
        nonlocal reported
        moment = time.monotonic()
        if moment - reported > INTERVAL:
            reported = moment
            send(writer, ("progress", stage))

    _limit(request.seconds, request.memory)
    try:
        with reporting(report):
            read = getattr(dmlib.datasets, request.reader)
            return "result", read(request.data, request.name, **request.arguments)
    except ValueError as error:
        return "error", error
    except (MemoryError, pa.ArrowException):  # Arrow has several errors for what it could not get
        text = (
            f"Reading the file takes more than {request.memory >> 20:,} MB of memory. Take a part"
            " of it."
        )
        return "error", TableError("too_large", text)
    except BrokenPipeError:  # nobody waits for progress any more
        raise
    except Exception as error:
        error.add_note(traceback.format_exc())  # a traceback does not pass between processes
        return "error", error


def _limit(seconds: int, memory: int) -> None:
    """Bound time and memory, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    bounds = {resource.RLIMIT_CPU: seconds}
    with contextlib.suppress(OSError), open("/proc/self/statm") as statm:
        bounds[resource.RLIMIT_AS] = int(statm.read().split()[0]) * resource.getpagesize() + memory
    for limit, bound in bounds.items():
        allowed = resource.getrlimit(limit)[1]
        resource.setrlimit(
            limit, (bound, allowed) if allowed == -1 else (min(bound, allowed), allowed)
        )


def main(arguments: list[str]) -> None:
    """Serve the socket whose number is given, or else the standard input."""
    with contextlib.suppress(AttributeError, OSError):  # Windows has no such numbers
        os.nice(NICENESS)
    if arguments:
        fork_for_each(socket.socket(fileno=int(arguments[0])))
    else:
        with os.fdopen(os.dup(1), "wb") as writer:
            os.dup2(2, 1)  # what a library prints is no message
            serve(sys.stdin.buffer, writer)
