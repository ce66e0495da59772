"""Time and memory of reading a million rows of ten columns, beside pandas with Arrow's reader.

Run ``python -m benchmarks.reading``, with names to choose some. Every ratio of times is of two
reads made in turn in a process of its own; memory is the most by which the process grew in a read,
and the file itself (which is in memory too, as an upload is), over the size of the file.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pandas as pd
import psutil

from benchmarks.algorithms import in_turn
from benchmarks.tables import table
from dmlib.datasets import read_table

N_ROWS = 1_000_000
PAIRS = 3
TABLES = ("numbers", "mixed", "quoted")


def text(kind: str, n_rows: int = N_ROWS) -> bytes:
    """Return ten columns as CSV: numbers; words, codes, dates and holes; or quoted words."""
    rng = np.random.default_rng(0)
    if kind == "numbers":
        frame = pd.DataFrame(rng.normal(size=(n_rows, 10)).round(4)).add_prefix("x")
    else:
        frame = pd.DataFrame(rng.normal(size=(n_rows, 4)).round(3)).add_prefix("x")
        frame["whole"], frame["count"] = rng.integers(0, 1000, n_rows), np.arange(n_rows)
        frame["town"] = rng.choice(["Bern", "Basel", "Chur", "Zürich"], n_rows)
        frame["yes"] = rng.choice(["yes", "no"], n_rows)
        days = [f"2024-{month:02d}-{day:02d}" for month in range(1, 13) for day in range(1, 29)]
        frame["day"] = rng.choice(days, n_rows)
        frame["holes"] = np.where(rng.random(n_rows) < 0.1, np.nan, rng.integers(0, 99, n_rows))
    quoting = 2 if kind == "quoted" else 0
    out: str = frame.to_csv(index=False, quoting=quoting)
    return out.encode()


def peak_growth(call: Any) -> int:
    """Return by how many bytes the process grew at most during a call."""
    me = psutil.Process()
    with ThreadPoolExecutor(1) as pool:
        before: int = me.memory_info().rss
        peak = before
        running = pool.submit(call)
        while not running.done():
            peak = max(peak, me.memory_info().rss)
            sleep(0.002)
        running.result()
    return peak - before


def measure_one(kind: str) -> dict[str, Any]:
    """Compare both readers on one file."""
    read_table(text(kind, 50_000), "warm.csv")
    data = text(kind)
    growth = peak_growth(lambda: read_table(data, "data.csv"))
    ours, theirs, ratio = in_turn(
        lambda: read_table(data, "data.csv"),
        lambda: pd.read_csv(io.BytesIO(data), engine="pyarrow"),
        PAIRS,
    )
    return {
        "file": kind,
        "rows": N_ROWS,
        "MB": len(data) / 2**20,
        "ms": 1e3 * ours,
        "ms_theirs": 1e3 * theirs,
        "ratio": ratio,
        "memory / size": (growth + len(data)) / len(data),
    }


def main(names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Measure the tables with those names, by default all, each in a process of its own."""
    root = Path(__file__).parents[1]
    rows = []
    for name in names or TABLES:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.reading", "--one", name],
            cwd=root,
            stdout=subprocess.PIPE,
            check=True,
        )
        rows.append(json.loads(done.stdout))
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure_one(sys.argv[2])))
    else:
        print(table(main(sys.argv[1:])))
