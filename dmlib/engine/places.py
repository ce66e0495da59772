"""The places where tasks can run, as executors of concurrent.futures."""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from joblib import cpu_count
from joblib.externals.loky import get_reusable_executor, reusable_executor

from dmlib.engine.lifeline import end_with
from dmlib.engine.task import FileFlag, cancelled_on_cluster

VARIABLE = "DMLIB_ENGINE"
WORKERS = "DMLIB_ENGINE_WORKERS"
MAX_WORKERS = 8
IDLE = 120  # seconds after which a process without work ends
RETRY_AFTER = 30.0  # seconds until a cluster that did not answer is asked again
TIMEOUT = 5.0  # seconds that a cluster has to answer
START_TIMEOUT = 60.0  # seconds that a cluster has to start on this machine
QUIET = {
    "PYTHONWARNINGS": "ignore",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
LOG = logging.getLogger(__name__)
# A process that ends after its rest just when work comes is replaced by another: nobody needs to
# know.
warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
Stop = Callable[[], bool]
Kind = Literal["threads", "processes"]
T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """A place where tasks run.

    Attributes
    ----------
    name : {"threads", "processes", "cluster"}
        What it is.
    submit : callable
        Takes a function without arguments, and returns the future of its result.
    workers : int
        How many tasks of one caller run at a time.
    pays : float
        Seconds of work from which it is worth to bring tasks here (``python -m benchmarks
        engine``).
    share : float
        The part of a second of work here that its caller is charged.
    """

    name: str
    submit: Callable[[Callable[[], Any]], Future[Any]]
    workers: int
    pays: float
    share: float = 1.0

    def pays_for(self, seconds: float) -> bool:
        """Return whether so much work is worth to be brought here."""
        return (self.workers > 1 or self.name == "cluster") and seconds > self.pays

    @contextmanager
    def stoppable(self) -> Iterator[Stop]:
        """Yield a flag that cancels tasks from the end of this context on."""
        if self.name == "cluster":
            yield cancelled_on_cluster  # the scheduler tells its workers
        elif self.name == "threads":
            event = threading.Event()
            try:
                yield event.is_set
            finally:
                event.set()
        else:
            with tempfile.NamedTemporaryFile(prefix="dmlib-task-") as file:
                yield FileFlag(file.name)


def workers_here() -> int:
    """Return the number of simultaneous tasks: that of processors, unless the operator sets it."""
    setting = os.environ.get(WORKERS, "")
    return max(1, min(int(setting) if setting.isdecimal() else int(cpu_count()), MAX_WORKERS))


@contextmanager
def place(prefer: Kind = "processes", workers: int | None = None) -> Iterator[Place]:
    """Give the place where tasks run now: the cluster that ``DMLIB_ENGINE`` names, if it answers.

    Parameters
    ----------
    prefer : {"processes", "threads"}
        What is faster for the work without a cluster: threads where compiled code does it that
        leaves the interpreter to others, processes for everything else.
    workers : int, optional
        How many tasks run at a time at most; 1 means in this process, whatever there is.

    Yields
    ------
    Place
        Where tasks run.

    Examples
    --------
    >>> with place("threads", 1) as here:
    ...     here.name, here.workers
    ('threads', 1)
    """
    n_workers = min(workers or MAX_WORKERS, workers_here())
    client = CLUSTER.client(os.environ.get(VARIABLE, "")) if workers != 1 else None
    if client is not None:
        threads = CLUSTER.n_threads
        executor = client.get_executor(pure=False)
        yield Place("cluster", executor.submit, min(workers or threads, threads), 0.2, 1 / threads)
    elif prefer == "threads":
        pool = ThreadPoolExecutor(n_workers, "engine")
        try:
            yield Place("threads", pool.submit, n_workers, 0.05)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # what runs ends at its next look
    else:
        yield Place("processes", _to_a_process, n_workers, 1.0)


def _to_a_process(call: Callable[[], Any]) -> Future[Any]:
    """Submit to the shared worker processes, renewed after an accident or a long rest."""
    pool = get_reusable_executor(
        max_workers=workers_here(),
        timeout=IDLE,
        env=QUIET,
        initializer=end_with,
        initargs=(os.getpid(),),
    )
    future: Future[Any] = pool.submit(call)
    return future


def close() -> None:
    """End the worker processes and leave the cluster; unfinished tasks are cancelled."""
    if process_pool := reusable_executor._executor:
        process_pool.shutdown(wait=True, kill_workers=True)
    with suppress(Exception):  # a cluster that no longer answers is not waited for
        _within(TIMEOUT, CLUSTER.close)


class Cluster:
    """The connection to a Dask cluster, one for a process.

    Attributes
    ----------
    n_threads : int
        How many tasks the cluster did at a time when it was last asked, at least 1.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._client: Any = None
        self._address, self._not_before = "", 0.0
        self.n_threads = 1

    def client(self, address: str) -> Any:
        """Return the client of a cluster; None where none is wanted, or none answers."""
        if not address:
            return None
        with self._lock:
            if self._address != address or self._client is None or self._client.status != "running":
                self._connect(address)
            if self._client is not None:
                self._count_threads()
            return self._client

    def close(self) -> None:
        """Leave the cluster, and end it if it was started here."""
        with self._lock:
            if self._client is not None:
                _leave(self._client)
            self._client, self._address, self._not_before = None, "", 0.0

    def _connect(self, address: str) -> None:
        if self._address == address and time.monotonic() < self._not_before:
            return
        self._address, self._client, self._not_before = (
            address,
            None,
            time.monotonic() + RETRY_AFTER,
        )
        try:
            self._client = _connected(address)
        except ImportError:
            LOG.warning(
                "%s is set, but Dask is missing: pip install 'dmlib[cluster]'. Tasks run here.",
                VARIABLE,
            )
        except (
            Exception
        ) as error:  # whatever listens there may answer anything: even memory was asked for
            self._refuse(error)

    def _count_threads(self) -> None:
        try:
            self.n_threads = max(sum(_within(TIMEOUT, self._client.nthreads).values()), 1)
        except Exception as error:
            threading.Thread(target=_leave, args=(self._client,), daemon=True).start()
            self._client, self._not_before = None, time.monotonic() + RETRY_AFTER
            self._refuse(error)

    def _refuse(self, error: Exception) -> None:
        reason = str(error) or type(error).__name__
        LOG.warning("No Dask cluster answers at %s (%s). Tasks run here.", self._address, reason)


def _connected(address: str) -> Any:
    from distributed import Client

    if address == "local":
        return _within(START_TIMEOUT, _local_client)
    # Bounded here: Dask begins its own time limit anew with each attempt, and would try a silent
    # service for ever.
    _within(2 * TIMEOUT, lambda: asyncio.run(_identify(address)))
    return _within(2 * TIMEOUT, partial(Client, address, timeout=TIMEOUT, set_as_default=False))


async def _identify(address: str) -> None:
    """Ask a scheduler who it is: a client that has begun with another service would not end."""
    from distributed.core import rpc

    async with asyncio.timeout(TIMEOUT):
        async with rpc(address) as scheduler:
            identity = await scheduler.identity()
    if identity.get("type") != "Scheduler":
        raise ValueError("it is no scheduler")


def _local_client() -> Any:
    from distributed import Client, LocalCluster

    folder = Path(tempfile.gettempdir()) / "dmlib-workers"
    cluster = LocalCluster(
        n_workers=workers_here(),
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",  # with None it takes port 8787 of every interface
        local_directory=str(folder),
        silence_logs=logging.ERROR,
    )
    return Client(cluster, set_as_default=False)


def _leave(client: Any) -> None:
    """Close a client, and the cluster that was started for it."""
    with suppress(Exception):  # it may be gone already, or not answer
        cluster = client.cluster
        client.close()
        if cluster is not None:
            cluster.close()


def _within(seconds: float, call: Callable[[], T]) -> T:
    """Return the result of a call of a library that may never return.

    Raises
    ------
    TimeoutError
        If it takes longer; its thread is left to itself, and ends with the process at the latest.
    """
    future: Future[T] = Future()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, name="engine-connect", daemon=True).start()
    return future.result(seconds)


CLUSTER = Cluster()
"""The cluster of this process."""
