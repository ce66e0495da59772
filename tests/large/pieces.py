"""Tables in pieces: cut where a test says, in memory or in files."""

from itertools import pairwise
from random import Random

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from dmlib.large.source import FramePiece, Source


def cut(frame, places, seed=None):
    """The table as pieces that end at these places, some perhaps empty, shuffled by a seed."""
    ends = [0, *sorted(min(place, len(frame)) for place in places), len(frame)]
    parts = [frame.iloc[a:b] for a, b in pairwise(ends)]
    if seed is not None:
        Random(seed).shuffle(parts)
    return Source(dict(frame.dtypes), tuple(FramePiece(part, len(part)) for part in parts))


def files(frame, folder, ending, sizes=(7, 0, 40)):
    """The table as files of a folder, one of them without rows."""
    ends = np.cumsum([0, *sizes])
    for i, (a, b) in enumerate(zip(ends, [*ends[1:], len(frame)], strict=True)):
        part, path = frame.iloc[a:b], folder / f"part-{i}.{ending}"
        part.to_parquet(
            path, index=False, row_group_size=9
        ) if ending == "parquet" else part.to_csv(path, index=False)
    return folder


def blobs(n=200, seed=0):
    """Three groups of rows in three columns of numbers, with names and a response."""
    rng = np.random.default_rng(seed)
    group = rng.integers(3, size=n)
    X = rng.normal(size=(n, 3)) + 6 * np.eye(3)[group] + [1e6, 0, 0]
    frame = pd.DataFrame(X, columns=list("abc"))
    frame["sky"] = np.where(rng.random(n) < 0.7, group, rng.integers(3, size=n)).astype(str)
    frame["sky"] = frame["sky"].map({"0": "sun", "1": "rain", "2": "snow"})
    frame["y"] = 2 * X[:, 1] - X[:, 2] + rng.normal(size=n)
    frame["group"] = np.array(["one", "two", "three"])[group]
    return frame


places = st.lists(st.integers(0, 200), max_size=6)
order = st.none() | st.integers(0, 99)
