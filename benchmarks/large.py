"""Tables larger than memory: 50 million rows, each task in a process of its own.

``python -m benchmarks large`` writes two tables to a temporary folder (about 4 GB), which is
deleted in the end. On the first file of each, the answers are compared with those of the estimators
that have it in memory.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.serve import ROOT
from dmlib.large import (
    KMeans,
    LinearRegression,
    MiniBatchKMeans,
    NaiveBayes,
    frequent_itemsets,
    make_table,
)
from dmlib.large import profile as large_profile
from dmlib.large import sample as large_sample

N_ROWS, CHUNK = 50_000_000, 1_000_000
N_ITEMS, SUPPORT = 10, 0.05
CLUSTERS = 5
X = [f"x{j}" for j in range(1, 8)]
SPACE = 12e9  # bytes that have to be free
LIMIT = 2000  # MB


def make_baskets(folder: Path, n_rows: int) -> Path:
    """Write baskets as columns of truth values, some of which come together."""
    folder.mkdir()
    for i, start in enumerate(range(0, n_rows, CHUNK)):
        rng, n = np.random.default_rng([1, i]), min(CHUNK, n_rows - start)
        matrix = rng.random((n, N_ITEMS)) < np.linspace(0.05, 0.5, N_ITEMS)
        matrix[rng.random(n) < 0.1, :3] = True
        columns = {f"item {j}": matrix[:, j] for j in range(N_ITEMS)}
        pq.write_table(pa.table(columns), folder / f"part-{i:05d}.parquet", row_group_size=1 << 18)
    return folder


def starts(folder: Path) -> np.ndarray:
    """Return rows that k-means starts from."""
    return np.asarray(large_sample(first(folder), CLUSTERS, columns=X, random_state=1))


def first(folder: Path) -> Path:
    """Return the part that is also read into memory."""
    return folder / "part-00000.parquet"


def kmeans(table: Path, folder: Path) -> Any:
    """Five passes at most from given centres."""
    model = KMeans(CLUSTERS, init=starts(folder), max_iter=5, tol=0).fit(table, columns=X)
    return [*model.cluster_centers_.ravel(), model.inertia_]


def kmeans_parallel(table: Path, folder: Path) -> Any:
    """From centres that are drawn by k-means||."""
    return [KMeans(CLUSTERS, max_iter=3).fit(table, columns=X).inertia_]


def mini_batch(table: Path, folder: Path) -> Any:
    """Hundred batches of 1,024 rows."""
    return [MiniBatchKMeans(CLUSTERS).fit(table, columns=X).inertia_]


def naive_bayes(table: Path, folder: Path) -> Any:
    """Seven columns of numbers."""
    model = NaiveBayes().fit(table, "group", columns=X)
    return [*model.theta_.ravel(), *model.var_.ravel(), *model.class_prior_]


def linear_regression(table: Path, folder: Path) -> Any:
    """Seven columns, with standard errors."""
    model = LinearRegression().fit(table, "y", columns=X)
    return [model.intercept_, *model.coef_, *model.standard_errors_]


def profile(table: Path, folder: Path) -> Any:
    """All ten columns: what is exact."""
    columns = [column for column in large_profile(table).columns if column.percentiles]
    return [
        number
        for column in columns
        for number in (column.mean, column.variance, column.minimum, column.maximum)
    ]


def itemsets(table: Path, folder: Path) -> Any:
    """Frequent item sets of baskets."""
    return list(frequent_itemsets(table, SUPPORT).values())


def sample(table: Path, folder: Path) -> Any:
    """Ten thousand rows, each group by its share."""
    return large_sample(table, 10_000, stratify="group").index.tolist()


def in_memory(name: str, folder: Path) -> Any:
    """Return the answer on the first file, computed in memory; None where it is random."""
    from sklearn.naive_bayes import GaussianNB

    from dmlib import association, clustering, regression

    frame = pd.read_parquet(first(folder))
    if name == "kmeans":
        memory = clustering.KMeans(CLUSTERS, init=starts(folder), max_iter=5, tol=0).fit(frame[X])
        return [*memory.cluster_centers_.ravel(), memory.inertia_]
    if name == "naive_bayes":
        bayes = GaussianNB().fit(frame[X], frame["group"])
        return [*bayes.theta_.ravel(), *bayes.var_.ravel(), *bayes.class_prior_]
    if name == "linear_regression":
        line = regression.LinearRegression().fit(frame[X], frame["y"])
        return [line.intercept_, *line.coef_, *line.standard_errors_]
    if name == "profile":
        statistics = frame[[*X, "y"]].agg(["mean", "var", "min", "max"])
        return statistics.to_numpy().T.ravel().tolist()
    if name == "itemsets":
        return association.Apriori(SUPPORT).fit(frame).support_.tolist()
    return None


TASKS: dict[str, Callable[[Path, Path], Any]] = {
    task.__name__: task
    for task in (
        kmeans,
        kmeans_parallel,
        mini_batch,
        naive_bayes,
        linear_regression,
        profile,
        itemsets,
        sample,
    )
}


def task(name: str, folder: Path) -> dict[str, Any]:
    """Do one task in this process; return its seconds, and the peak of this process."""
    before = time.perf_counter()
    if name == "make_table":
        make_table(folder, N_ROWS, chunk=CHUNK)
    elif name == "make_baskets":
        make_baskets(folder, N_ROWS)
    else:
        TASKS[name](folder, folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"s": time.perf_counter() - before, "peak MB": peak}


def difference(name: str, folder: Path) -> float:
    """Return the relative difference of the answers on the first file; NaN without any."""
    theirs = in_memory(name, folder)
    if theirs is None:
        return float("nan")
    ours, expected = np.array(TASKS[name](first(folder), folder)), np.array(theirs)
    return float((np.abs(ours - expected) / np.maximum(np.abs(expected), 1)).max())


def in_own_process(function: str, name: str, folder: Path) -> Any:
    """Call a function of this module in a process of its own, which inherits no peak of memory."""
    call = f"{function}({name!r}, Path({str(folder)!r}))"
    code = f"import json; from benchmarks.large import *; print(json.dumps({call}))"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> dict[str, list[dict[str, Any]]]:
    """Measure each task on the whole tables, and compare on a part."""
    rows = []
    with TemporaryDirectory() as place:
        if shutil.disk_usage(place).free < SPACE:
            raise SystemExit(f"{SPACE / 1e9:g} GB have to be free in {place}.")
        table, baskets = Path(place) / "table", Path(place) / "baskets"
        for name, folder in (("make_table", table), ("make_baskets", baskets)):
            rows.append({"task": name} | in_own_process("task", name, folder) | {"MB limit": LIMIT})
            print(rows[-1], flush=True)
        for name in TASKS:
            folder = baskets if name == "itemsets" else table
            row = in_own_process("task", name, folder) | {"MB limit": LIMIT}
            row |= {"difference on a part": in_own_process("difference", name, folder)}
            rows.append({"task": name} | row)
            print(rows[-1], flush=True)
    return {f"{N_ROWS:,} rows of 10 columns": rows}
