"""The engine: same numbers everywhere, in order; stopped work is freed, dead workers replaced."""

import asyncio
import contextlib
import inspect
import os
import signal
import socket
import subprocess
import sys
import threading
import warnings
from functools import partial
from unittest import mock

import numpy as np
import pytest
from joblib.externals.loky import process_executor

from dmlib import engine
from dmlib.engine import mapping
from dmlib.engine.places import CLUSTER, VARIABLE, Place
from dmlib.engine.task import worker_name
from dmlib.trace import OutOfTime, charge, look, thread_clock, watched
from tests.engine.work import (
    die_once,
    draw,
    looking_square,
    refuse,
    slow_square,
    square,
    wait_for_ever,
)

PLACES = ("threads", "processes", "cluster")


@pytest.fixture(scope="module")
def cluster():
    """A cluster of two processes on this machine, as DMLIB_ENGINE=local starts it."""
    pytest.importorskip("distributed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "local")
        patch.setattr("dmlib.engine.places.workers_here", lambda: 2)
        yield CLUSTER.client("local")
        CLUSTER.close()


@pytest.fixture(params=PLACES)
def options_of_place(request, monkeypatch):
    """Every place in turn, and nothing is too short to be brought there."""
    monkeypatch.setattr(Place, "pays_for", lambda place, seconds: True)
    monkeypatch.setattr("dmlib.engine.places.workers_here", lambda: 2)
    if request.param == "cluster":
        request.getfixturevalue("cluster")
    else:
        monkeypatch.delenv(VARIABLE, raising=False)
    return {"prefer": "threads" if request.param == "threads" else "processes"}


def draws(**options):
    return list(engine.map(draw, range(12), seed=7, **options))


SEEDS = np.random.SeedSequence(7).spawn(12)
EXPECTED = [
    (i, np.random.default_rng(seed).normal(size=3).tolist()) for i, seed in enumerate(SEEDS)
]


def test_same_seed_same_numbers_everywhere(options_of_place):
    tasks = []
    assert draws(**options_of_place, progress=tasks.append) == EXPECTED
    assert sorted(task.index for task in tasks) == list(range(12))
    assert len({task.worker for task in tasks}) > 1  # the caller's own first task, and others
    assert all(task.start <= task.end and task.seconds >= 0 for task in tasks)


SQUARES = [i * i for i in range(6)]


def test_long_tasks_are_not_begun_by_the_caller_and_have_no_end(options_of_place, monkeypatch):
    monkeypatch.setattr(mapping, "MAX_SECONDS", -1.0)
    with pytest.raises(OutOfTime):
        list(engine.map(looking_square, range(6), **options_of_place))
    tasks = []
    assert (
        list(
            engine.map(
                looking_square, range(6), **options_of_place, long=True, progress=tasks.append
            )
        )
        == SQUARES
    )
    assert worker_name() not in {task.worker for task in tasks}


def test_short_work_stays_with_the_caller(monkeypatch):
    monkeypatch.setattr(mapping, "_submitted", None)
    assert draws() == EXPECTED


def test_brief_work_goes_to_threads_and_clusters_but_starts_no_processes(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(mapping.Place, "pays_for", lambda place, seconds: True)
    monkeypatch.setattr(mapping, "_submitted", None)
    with engine.brief():
        assert draws() == EXPECTED
        with pytest.raises(TypeError):  # threads would be used
            draws(prefer="threads")


def test_an_error_is_the_callers(options_of_place):
    results = engine.map(refuse, range(6), **options_of_place)
    with pytest.raises(ValueError, match="Three is refused"):
        list(results)


class LeftError(Exception):
    """A visitor has left."""


def leave_when_begun(folder, n):
    def check():
        if len(list(folder.iterdir())) >= n:
            raise LeftError

    return check


def test_who_leaves_frees_the_work(options_of_place, tmp_path):
    with watched(leave_when_begun(tmp_path, 2)), pytest.raises(LeftError):
        list(engine.map(partial(wait_for_ever, str(tmp_path)), range(5), **options_of_place))
    # Both workers were at work for ever, and are free again.
    assert list(engine.map(square, range(6), **options_of_place)) == [0, 1, 4, 9, 16, 25]
    assert {path.name for path in tmp_path.iterdir()} == {"1", "2"}  # what waited has not begun


def test_a_generator_that_is_closed_asks_for_nothing_more():
    done = []
    results = engine.map(done.append, range(5), workers=1)
    next(results)
    results.close()
    assert done == [0]


def test_who_asks_again_gives_up_what_he_asked_before():
    def work(item):
        """While the second item is done, the same session asks for something else."""
        if item == 1:
            second = threading.Thread(target=ask)
            second.start()
            second.join()
        return item

    def ask():
        with engine.on_behalf_of("session"):
            done.extend(engine.map(square, [5]))

    done, begun = [], []
    with engine.on_behalf_of("session"), pytest.raises(OutOfTime, match="asked for something else"):
        begun.extend(engine.map(work, range(4)))
    assert done == [25]
    with engine.on_behalf_of("another"):
        assert list(engine.map(square, [2])) == [4]


def test_a_session_may_ask_for_tasks_between_results():
    with engine.on_behalf_of("session"):
        results = [sum(engine.map(square, range(item))) for item in engine.map(square, range(4))]
    assert results == [0, 0, 14, 204]


def test_tasks_that_ask_for_tasks_do_them_themselves(options_of_place):
    nested = partial(_sums, list(range(4)))
    assert list(engine.map(nested, range(3), **options_of_place)) == [14, 14, 14]


def _sums(items, _):
    return sum(engine.map(square, items))


def test_work_elsewhere_counts_for_the_callers_clock():
    clock = thread_clock()
    before = clock()
    charge(5.0)
    while (time := clock()) < before + 4.0:
        look()
    assert time - before < 6.0


def test_a_process_that_dies_loses_nothing(monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(Place, "pays_for", lambda place, seconds: True)
    monkeypatch.setattr("dmlib.engine.places.workers_here", lambda: 2)
    done = list(engine.map(partial(die_once, str(tmp_path)), range(6), workers=2))
    assert done == [0, 1, 4, 9, 16, 25]
    assert (tmp_path / "died").exists()


RESTED = "A worker stopped while some jobs were given"
"""What the pool warns of when a process ends after its rest just as work comes. It begins another
one."""


def test_a_process_that_ends_as_work_comes_is_replaced_without_a_word():
    """The pool warns in the thread that hands results on, where an error would block all."""
    assert RESTED in inspect.getsource(process_executor)
    warnings.warn(f"{RESTED} to the executor.", UserWarning, stacklevel=1)  # not an error in a test
    program = (
        f"import dmlib.engine, warnings; warnings.warn('{RESTED} to the executor.', UserWarning)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


def test_a_worker_of_the_cluster_that_is_killed_loses_nothing(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(Place, "pays_for", lambda place, seconds: True)
    killed = []

    def kill_one():
        """Kill one worker as soon as both are at work; then let the others go on."""
        workers = [
            int(path.name[4:])
            for path in tmp_path.glob("pid-*")
            if path.name != f"pid-{os.getpid()}"
        ]
        if len(workers) >= 2 and not killed:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)
            (tmp_path / "go").touch()

    with watched(kill_one):
        done = list(engine.map(partial(slow_square, str(tmp_path)), range(8)))
    assert done == [i * i for i in range(8)]
    assert len(killed) == 1


def test_a_cluster_that_does_not_answer_costs_no_answer(monkeypatch, caplog):
    pytest.importorskip("distributed")
    CLUSTER.close()
    monkeypatch.setattr("dmlib.engine.places.TIMEOUT", 0.05)
    monkeypatch.setenv(VARIABLE, "tcp://127.0.0.1:1")
    assert draws() == draws() == EXPECTED
    assert [
        record.message for record in caplog.records if "Tasks run here" in record.message
    ].__len__() == 1
    CLUSTER.close()


FOREIGN = {
    "a web server": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "a login": b"SSH-2.0-OpenSSH_9.2\r\n",
    "a service that only listens": b"",
}


@pytest.fixture
def foreign(request, monkeypatch):
    """The address of a service that is no scheduler, and keeps each connection open."""
    pytest.importorskip("distributed")
    CLUSTER.close()
    monkeypatch.setattr("dmlib.engine.places.TIMEOUT", 0.2)
    connections = []

    def serve():
        with contextlib.suppress(OSError):  # closed at the end
            while True:
                connections.append(listening.accept()[0])
                connections[-1].sendall(FOREIGN[request.param])

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, daemon=True).start()
        yield "tcp://{}:{}".format(*listening.getsockname())
        listening.shutdown(socket.SHUT_RDWR)
    for connection in connections:
        connection.close()
    CLUSTER.close()


@pytest.mark.parametrize("foreign", FOREIGN, indirect=True)
def test_another_service_than_a_scheduler_costs_no_answer(foreign, monkeypatch, caplog):
    monkeypatch.setenv(VARIABLE, foreign)
    assert draws() == draws() == EXPECTED
    (record,) = [record for record in caplog.records if "Tasks run here" in record.message]
    assert foreign in record.message


def test_what_answers_like_a_scheduler_and_then_no_more_costs_no_answer(monkeypatch, caplog):
    """A client of a scheduler that stops in the middle waits for ever, and is given up."""
    pytest.importorskip("distributed")
    CLUSTER.close()
    monkeypatch.setattr("dmlib.engine.places.TIMEOUT", 0.05)
    monkeypatch.setattr("dmlib.engine.places._identify", lambda address: asyncio.sleep(0))
    never = threading.Event()
    monkeypatch.setattr("distributed.Client", lambda *_args, **_options: never.wait())
    monkeypatch.setenv(VARIABLE, "tcp://127.0.0.1:1")
    assert draws() == EXPECTED
    assert [record.message.count("Tasks run here") for record in caplog.records] == [1]
    never.set()
    CLUSTER.close()


def test_a_cluster_that_falls_silent_later_costs_no_answer(monkeypatch, caplog):
    pytest.importorskip("distributed")
    CLUSTER.close()
    monkeypatch.setattr("dmlib.engine.places.TIMEOUT", 0.05)
    silent, never = mock.Mock(status="running"), threading.Event()
    silent.nthreads = never.wait
    monkeypatch.setattr(CLUSTER, "_client", silent)
    monkeypatch.setattr(CLUSTER, "_address", "tcp://127.0.0.1:1")
    monkeypatch.setenv(VARIABLE, "tcp://127.0.0.1:1")
    assert draws() == draws() == EXPECTED
    assert [record.message.count("Tasks run here") for record in caplog.records] == [1]
    never.set()
    CLUSTER.close()
