"""Time and memory of the algorithms beside the libraries that users would take instead.

Run ``python -m benchmarks.algorithms``. Every ratio is of two runs made in turn, on the same data,
with the same start and the same result, so that what else the machine does meets both alike.
"""

from __future__ import annotations

import math
import statistics
import tracemalloc
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import cluster
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_limits

from dmlib.clustering import KMeans
from dmlib.trace import run

SIZES = (1_000, 10_000, 100_000)
N_FEATURES = N_CLUSTERS = 10
PAIRS = 9
TEACHING_ITERATIONS = 3


def table(kind: str, n_samples: int) -> NDArray[np.float64]:
    """Return uniform noise (many iterations) or ten blobs (few)."""
    if kind == "uniform":
        return np.random.default_rng(0).uniform(size=(n_samples, N_FEATURES))
    X: NDArray[np.float64] = make_blobs(n_samples, N_FEATURES, centers=N_CLUSTERS, random_state=0)[
        0
    ]
    return X


def teaching_kmeans(
    X: NDArray[np.float64], centers: NDArray[np.float64], iterations: int
) -> NDArray[np.float64]:
    """Run k-means as it is often taught: all differences at once, and a loop over the clusters."""
    for _ in range(iterations):
        labels = ((X[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
        centers = np.array([X[labels == j].mean(axis=0) for j in range(len(centers))])
    return centers


def seconds(call: Callable[[], Any]) -> float:
    """Return the time of one call."""
    start = perf_counter()
    call()
    return perf_counter() - start


def in_turn(
    first: Callable[[], Any], second: Callable[[], Any], pairs: int = PAIRS
) -> tuple[float, float, float]:
    """Return the median times of two calls made in turn, and the median ratio of the pairs."""
    first()
    second()
    times = [(seconds(first), seconds(second)) for _ in range(pairs)]
    first_times, second_times = zip(*times, strict=True)
    return (
        statistics.median(first_times),
        statistics.median(second_times),
        statistics.median(a / b for a, b in times),
    )


def peak_megabytes(call: Callable[[], Any]) -> float:
    """Return the most memory that a call held at once, beyond what was there before."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def measure(kind: str, n_samples: int) -> list[dict[str, Any]]:
    """Compare k-means with scikit-learn and a textbook implementation, with and without threads."""
    X = table(kind, n_samples)
    start = X[np.random.default_rng(1).choice(n_samples, N_CLUSTERS, replace=False)]
    ours = KMeans(N_CLUSTERS, init=start)
    theirs = cluster.KMeans(N_CLUSTERS, init=start, n_init=1, algorithm="lloyd")
    ours.fit(X), theirs.fit(X)
    # Its iterations all take the same time, so a few stand for the whole run.
    teaching = seconds(lambda: teaching_kmeans(X, start, TEACHING_ITERATIONS)) / TEACHING_ITERATIONS
    common = {
        "data": kind,
        "rows": n_samples,
        "iterations": ours.n_iter_,
        "same_labels": bool((ours.labels_ == theirs.labels_).all()),
        "inertia_difference": float(abs(ours.inertia_ / theirs.inertia_ - 1)),
        "peak_mb": peak_megabytes(lambda: ours.fit(X)),
        "peak_mb_sklearn": peak_megabytes(lambda: theirs.fit(X)),
        "all_steps_over_fit": in_turn(lambda: run(ours, X), lambda: ours.fit(X))[2],
        "teaching_over_ours": (
            teaching
            * ours.n_iter_
            / statistics.median(seconds(lambda: ours.fit(X)) for _ in range(5))
        ),
    }
    rows = []
    for threads, limit in (("all", None), ("1", 1)):
        with threadpool_limits(limit):
            time, time_sklearn, ratio = in_turn(lambda: ours.fit(X), lambda: theirs.fit(X))
        rows.append(
            {
                "threads": threads,
                "ms": 1e3 * time,
                "ms_sklearn": 1e3 * time_sklearn,
                "ratio": ratio,
                **common,
            }
        )
    return rows


def slope(rows: list[dict[str, Any]]) -> float:
    """Return the slope of log time per iteration over log n; theory says 1."""
    first, last = rows[0], rows[-1]
    times = math.log(last["ms"] / last["iterations"]) - math.log(first["ms"] / first["iterations"])
    return times / math.log(last["rows"] / first["rows"])


def main() -> list[dict[str, Any]]:
    """Measure, print the tables, and return them."""
    print(
        f"k-means, {N_FEATURES} columns, {N_CLUSTERS} clusters, the same start; ratio = dmlib /"
        " scikit-learn (lloyd)\n"
    )
    print(
        "data     threads    rows  iter.       ms  sklearn  ratio   MB  sklearn  same  steps/fit "
        " teaching/dmlib"
    )
    rows = [row for kind in ("uniform", "blobs") for n in SIZES for row in measure(kind, n)]
    for row in rows:
        same = row["same_labels"] and row["inertia_difference"] < 1e-9
        print(
            f"{row['data']:8} {row['threads']:>7} {row['rows']:7} {row['iterations']:6}"
            f" {row['ms']:8.1f} {row['ms_sklearn']:8.1f} {row['ratio']:6.2f} {row['peak_mb']:4.1f}"
            f" {row['peak_mb_sklearn']:8.1f} {'yes' if same else 'NO':>5}"
            f" {row['all_steps_over_fit']:10.2f} {row['teaching_over_ours']:15.1f}"
        )
    print()
    for kind in ("uniform", "blobs"):
        single = [row for row in rows if row["data"] == kind and row["threads"] == "1"]
        print(f"{kind}: time per iteration grows as n^{slope(single):.2f}")
    return rows


if __name__ == "__main__":
    main()
