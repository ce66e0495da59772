"""Overhead and gain of tasks, by the place where they run: ``python -m benchmarks engine``."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import Any, Literal

import numpy as np

from dmlib import engine
from dmlib.classification import DecisionTreeClassifier
from dmlib.engine import mapping
from dmlib.engine.places import CLUSTER, VARIABLE, WORKERS, Place

N_TASKS = 100
REPEATS = 3
KINDS = ("in this process", "threads", "processes", "cluster")


def no_work(item: int) -> int:
    """Do nothing, so that only the journey is measured."""
    return item


def tree(X: np.ndarray, y: np.ndarray, depth: int) -> int:
    """Grow a tree: Python code, which holds the interpreter."""
    return int(DecisionTreeClassifier(max_depth=depth).fit(X, y).tree_.n_leaves)


def decomposition(X: np.ndarray, item: int) -> float:
    """Decompose a matrix: compiled code, which leaves the interpreter to others."""
    return float(np.linalg.svd(X[: len(X) - item], compute_uv=False)[0])


@contextmanager
def at(kind: str, workers: int) -> Iterator[Callable[..., list[Any]]]:
    """Bring everything to one place, one task a journey."""
    before, min_seconds = Place.pays_for, mapping.MIN_SECONDS
    os.environ[WORKERS] = str(workers)
    if kind == "cluster":
        os.environ[VARIABLE] = "local"
    always = kind != "in this process"
    Place.pays_for = lambda place, seconds: always  # type: ignore[method-assign, assignment]
    mapping.MIN_SECONDS = 0.0
    prefer: Literal["threads", "processes"] = "threads" if kind == "threads" else "processes"
    try:
        yield lambda function, items: list(engine.map(function, items, prefer=prefer))
    finally:
        CLUSTER.close()
        Place.pays_for = before  # type: ignore[method-assign]
        mapping.MIN_SECONDS = min_seconds
        os.environ.pop(VARIABLE, None)
        del os.environ[WORKERS]


def seconds(call: Callable[[], Any]) -> tuple[float, float]:
    """Return how long the first call takes, and the median of later ones."""
    times = []
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times[0], median(times[1:])


def main() -> dict[str, list[dict[str, Any]]]:
    """Measure journeys without work, and work of two kinds."""
    logging.disable(logging.WARNING)
    rng = np.random.default_rng(0)
    table, classes = rng.normal(size=(1500, 6)), rng.integers(0, 3, 1500)
    matrix = rng.normal(size=(500, 400))
    journeys, work = [], []
    in_process: dict[str, float] = {}
    for kind in KINDS:
        for workers in (1,) if kind == "in this process" else (1, 2):
            with at(kind, workers) as apply:
                first, later = seconds(partial(apply, no_work, range(N_TASKS)))
                row = {"place": kind, "workers": workers}
                journeys.append(
                    row
                    | {
                        "ms a task": 1e3 * later / N_TASKS,
                        "ms until the first time is over": 1e3 * first,
                    }
                )
                jobs = {
                    "Python: 12 trees": (partial(tree, table, classes), [6] * 12),
                    "compiled: 24 SVD": (partial(decomposition, matrix), range(24)),
                }
                for name, (function, items) in jobs.items():
                    _, took = seconds(partial(apply, function, items))
                    in_process.setdefault(name, took)
                    work.append(
                        {
                            **row,
                            "work": name,
                            "s": took,
                            "ratio to this process": took / in_process[name],
                        }
                    )
    return {"A task without work": journeys, "Twelve trees, 24 decompositions": work}
